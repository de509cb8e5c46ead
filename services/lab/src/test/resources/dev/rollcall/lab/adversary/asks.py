# asks.py AGENT.SOCK PROCESSES PROGRAM: asks who made a call that is not of this node, again and
# again, with some processes at once (docs/local-socket-protocol.md).
# Says "asking" when the first answers came.
import os
import socket
import struct
import sys

path, processes = sys.argv[1], int(sys.argv[2])


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


METHOD = field(1, b"rollcall.v1.CallerIdService/Identify")


def question(port):
    connection = b"\x08\x01" + field(2, endpoint("10.77.2.12", port)) + field(3, endpoint("10.77.1.11", 22))
    request = METHOD + field(2, field(1, connection))
    return struct.pack(">I", len(request)) + request


def ask(tell):
    while True:
        line = socket.socket(socket.AF_UNIX)
        line.connect(path)
        number, heard = 1, 0
        try:
            while True:
                line.sendall(b"".join(question((number + each) % 60000 + 1) for each in range(8)))
                number += 8
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
