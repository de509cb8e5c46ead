"""Opens connections to a unix socket, makes calls on each, and reads no answer: HTTP/2's window for them is 0 bytes.
Arguments: socket, connections, then for each call on a connection its method's path and its message in hex. Waits on each connection until
calls that do not watch have begun to be answered, prints how many connections it made, and stays until its input ends. With 0 connections it makes the first call alone, reads the answer, and prints
how many milliseconds it took, or what came instead."""
import socket
import struct
import sys
import time

path, connections = sys.argv[1], int(sys.argv[2])
calls = list(zip(sys.argv[3::2], sys.argv[4::2]))
INITIAL_WINDOW_SIZE = struct.pack(">HI", 4, 0)


def frame(kind, flags, stream, payload):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def literal(name, value):
    """RFC 7541 section 6.2.2: without indexing, without Huffman; each text is shorter than 127 bytes."""
    return b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


def headers(method):
    return b"".join(literal(*header) for header in [
        (":method", "POST"), (":scheme", "http"), (":path", method), (":authority", "localhost"),
        ("content-type", "application/grpc"), ("te", "trailers")])


def connect(settings):
    one = socket.socket(socket.AF_UNIX)
    one.settimeout(10)
    one.connect(path)
    one.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, settings))
    return one


def call(one, stream, method, message):
    body = bytes.fromhex(message)
    one.sendall(frame(1, 4, stream, headers(method)))
    one.sendall(frame(0, 1, stream, b"\0" + struct.pack(">I", len(body)) + body))


def frames(one):
    """Kind, flags and stream of each frame, until the connection ends."""
    heard = b""
    while more := one.recv(65536):
        heard += more
        while len(heard) >= 9 and len(heard) >= 9 + int.from_bytes(heard[:3], "big"):
            yield heard[3], heard[4], int.from_bytes(heard[5:9], "big")
            heard = heard[9 + int.from_bytes(heard[:3], "big"):]


def answer(one):
    began = time.monotonic()
    answered = False
    for kind, flags, stream in frames(one):
        answered = answered or (stream == 1 and kind == 0)
        if stream == 1 and kind == 1 and flags & 1:
            return str(int((time.monotonic() - began) * 1000)) if answered else "refused"
        if stream == 1 and kind == 3:
            return "reset"
    return "closed"


def begun(one, awaited):
    """Headers are not bounded by a window."""
    for kind, _, stream in frames(one):
        if kind in (1, 3):
            awaited.discard(stream)
        if not awaited:
            return


if connections == 0:
    one = connect(b"")
    call(one, 1, *calls[0])
    print(answer(one), flush=True)
    sys.exit(0)
opened = []
for _ in range(connections):
    try:
        one = connect(INITIAL_WINDOW_SIZE)
        opened.append(one)
        for number, each in enumerate(calls):
            call(one, 2 * number + 1, *each)
        asked = {2 * number + 1 for number, (method, _) in enumerate(calls) if "/Watch" not in method}
        if asked:
            begun(one, asked)
    except OSError:
        pass
print(len(opened), flush=True)
sys.stdin.read()
