"""Opens connections to a unix socket, and on each as many calls as it may, of which every one begins a message and does not end it.
With no connections it asks once, waits for the answer and prints how many milliseconds that took, or what came instead.
Arguments: socket, method's path, connections, calls on each, bytes that a message says it has; with 0 each call is whole, and its answer is not read; "at once", or "again" for one connection after
another, each closed by the server or when all is sent. Prints how many there were when all is sent; stays until its input ends."""
import select
import socket
import struct
import sys
import time

path, method, connections, calls, size = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
again = sys.argv[6] == "again"


def frame(kind, flags, stream, payload):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def literal(name, value):
    """RFC 7541 section 6.2.2: without indexing, without Huffman; each text is shorter than 127 bytes."""
    return b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


headers = b"".join(literal(*header) for header in [
    (":method", "POST"), (":scheme", "http"), (":path", method), (":authority", "localhost"),
    ("content-type", "application/grpc"), ("te", "trailers")])


def ask(one):
    began = time.monotonic()
    one.sendall(frame(1, 4, 1, headers) + frame(0, 1, 1, b"\0" * 5))
    heard = b""
    while True:
        more = one.recv(65536)
        if not more:
            return "closed"
        heard += more
        while len(heard) >= 9 and len(heard) >= 9 + int.from_bytes(heard[:3], "big"):
            kind, flags, stream = heard[3], heard[4], int.from_bytes(heard[5:9], "big")
            heard = heard[9 + int.from_bytes(heard[:3], "big"):]
            if stream == 1 and kind == 3:
                return "reset"
            if stream == 1 and flags & 1:
                return str(int((time.monotonic() - began) * 1000))


def connect():
    one = socket.socket(socket.AF_UNIX)
    one.settimeout(10)
    one.connect(path)
    one.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, b""))
    return one


if connections == 0:
    print(ask(connect()), flush=True)
    sys.exit(0)
begun = b"\0" + struct.pack(">I", size) + b"\0" * (size - 1)
ends = 1 if size == 0 else 0


def begin(one):
    one.settimeout(0.2)
    try:
        for call in range(calls):
            one.sendall(frame(1, 4, 2 * call + 1, headers))
        # 65,535 bytes are the window of a connection.
        for call in range(calls):
            one.sendall(frame(0, ends, 2 * call + 1, begun[: min(len(begun), 16000)]))
    except OSError:
        pass


def parse(heard, window, left):
    """Takes whole frames from what was heard: windows grow (RFC 9113 section 5.2), and calls that are over get no more."""
    while len(heard) >= 9 and len(heard) >= 9 + int.from_bytes(heard[:3], "big"):
        kind, flags, stream = heard[3], heard[4], int.from_bytes(heard[5:9], "big")
        if kind == 8:
            window[stream] = window.get(stream, 0) + int.from_bytes(heard[9:13], "big")
        if kind == 3 or (kind == 1 and flags & 1):
            left.pop(stream, None)
        heard = heard[9 + int.from_bytes(heard[:3], "big"):]
    return heard


def fill(one):
    """All of the messages but their last bytes, as far as the server lets it."""
    window = {2 * call + 1: 65535 for call in range(calls)}
    left = dict.fromkeys(window, memoryview(begun)[:-50])
    window[0] = 65535
    heard = b""
    one.settimeout(0.05)
    try:
        for stream in left:
            one.sendall(frame(1, 4, stream, headers))
        while left:
            sent = 0
            for stream, rest in list(left.items()):
                part = rest[: min(16000, window[0], window[stream])]
                one.sendall(frame(0, 0, stream, bytes(part)) if part else b"")
                window[0] -= len(part)
                window[stream] -= len(part)
                sent += len(part)
                left[stream] = rest[len(part):]
                if not left[stream]:
                    del left[stream]
            if not sent or select.select([one], [], [], 0)[0]:
                more = one.recv(65536)
                if not more:
                    return
                heard = parse(heard + more, window, left)
    except OSError:
        pass


if again:
    for _ in range(connections):
        with connect() as one:
            fill(one)
    print(connections, flush=True)
    sys.stdin.read()
    sys.exit(0)
opened = []
for _ in range(connections):
    try:
        opened.append(connect())
    except OSError:
        pass
for one in opened:
    begin(one)
print(len(opened), flush=True)
sys.stdin.read()
