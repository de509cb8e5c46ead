"""Makes calls on connections to a unix socket that are refused, as fast as they are answered, until so many are.
Arguments: socket, connections, calls, encoding: "gzip" has them refused by their headers, "identity" by the service. Prints how many were answered, or fewer if the server closed the connections."""
import select
import socket
import struct
import sys

path, connections, calls = sys.argv[1], *map(int, sys.argv[2:4])
AT_ONCE = 8


def frame(kind, flags, stream, payload):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def literal(name, value):
    """RFC 7541 section 6.2.2: without indexing, without Huffman; each text is shorter than 127 bytes."""
    return b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


HEADERS = b"".join(literal(*header) for header in [
    (":method", "POST"), (":scheme", "http"), (":path", "/rollcall.v1.CallerIdService/Identify"), (":authority", "localhost"),
    ("content-type", "application/grpc"), ("te", "trailers"), ("grpc-encoding", sys.argv[4])])


class Line:
    def __init__(self):
        self.peer = socket.socket(socket.AF_UNIX)
        self.peer.connect(path)
        self.peer.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, b""))
        self.stream, self.open, self.heard = 1, 0, b""

    def call(self):
        streams = range(self.stream, self.stream + 2 * AT_ONCE, 2)
        self.stream, self.open = self.stream + 2 * AT_ONCE, AT_ONCE
        self.peer.sendall(b"".join(frame(1, 4, s, HEADERS) for s in streams))
        self.peer.sendall(b"".join(frame(0, 1, s, b"\0\0\0\0\2\x0a\0") for s in streams))

    def hear(self):
        """How many calls are answered."""
        more = self.peer.recv(65536)
        if not more:
            raise OSError("closed")
        self.heard += more
        answered = 0
        while len(self.heard) >= 9 and len(self.heard) >= 9 + int.from_bytes(self.heard[:3], "big"):
            size, kind, flags = int.from_bytes(self.heard[:3], "big"), self.heard[3], self.heard[4]
            answered += kind == 3 or (kind == 1 and flags & 1)
            if kind == 6 and not flags & 1:  # without an answer to a ping the connection would end
                self.peer.sendall(frame(6, 1, 0, self.heard[9 : 9 + size]))
            self.heard = self.heard[9 + size :]
        self.open -= answered
        return answered


done = 0
try:
    lines = [Line() for _ in range(connections)]
    while done < calls:
        for line in lines:
            if line.open == 0:
                line.call()
        for line in select.select([each.peer for each in lines], [], [])[0]:
            done += next(each for each in lines if each.peer is line).hear()
except OSError as problem:
    print(problem, file=sys.stderr)
print(done, flush=True)
sys.stdin.read()
