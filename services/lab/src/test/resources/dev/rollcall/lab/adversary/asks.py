# asks.py AGENT.SOCK PROCESSES PROGRAM: asks who made a call that is not of this node, again and
# again, with some processes at once. Without a gRPC library: the frames of HTTP/2 by hand.
# Says "asking" when the first answers came.
import os
import socket
import struct
import sys

path, processes = sys.argv[1], int(sys.argv[2])


def frame(kind, flags, stream, payload):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def text(name, value):
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


def endpoint(address, port):
    return field(1, address.encode()) + b"\x10" + varint(port)


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(number, payload):
    return bytes([number << 3 | 2]) + varint(len(payload)) + payload


HEADERS = b"".join(
    text(name, value)
    for name, value in [
        (b":method", b"POST"),
        (b":scheme", b"http"),
        (b":path", b"/rollcall.v1.CallerIdService/Identify"),
        (b":authority", b"localhost"),
        (b"content-type", b"application/grpc"),
        (b"te", b"trailers"),
    ]
)


def question(port):
    connection = b"\x08\x01" + field(2, endpoint("10.77.0.12", port)) + field(3, endpoint("10.77.0.11", 22))
    request = field(1, connection)
    return b"\0" + struct.pack(">I", len(request)) + request


def ask(tell):
    while True:
        line = socket.socket(socket.AF_UNIX)
        line.connect(path)
        line.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, b"") + frame(8, 0, 0, struct.pack(">I", 1 << 30)))
        stream, heard = 1, 0
        try:
            while stream < 1 << 20:
                batch = b""
                for _ in range(8):
                    batch += frame(1, 4, stream, HEADERS) + frame(0, 1, stream, question(stream % 60000 + 1))
                    stream += 2
                line.sendall(batch)
                data = line.recv(1 << 20)
                heard += len(data)
                if not data:
                    break
                if tell and heard > 10000:
                    print("asking", flush=True)
                    tell = False
        except OSError:
            pass
        line.close()


for number in range(processes - 1):
    if os.fork() == 0:
        ask(False)
ask(True)
