# frames.py WHERE CONNECTIONS KIND: writes to a unix socket or HOST:PORT without end, over some
# connections at once, and reads what comes back. KIND priority: frames of HTTP/2 that nothing
# answers; pages: requests for metrics, 20 on each connection before their answers. A connection
# that is closed is made anew. Says "flooding" when it is under way.
import select
import socket
import struct
import sys

where, count, kind = sys.argv[1], int(sys.argv[2]), sys.argv[3]


def frame(type_, flags, stream, payload):
    return struct.pack(">I", len(payload))[1:] + bytes([type_, flags]) + struct.pack(">I", stream) + payload


FIRST = {"priority": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, b"")}.get(kind, b"")
PRIORITY = frame(2, 0, 3, b"\0\0\0\0\7")
PAGE = b"GET /metrics HTTP/1.1\r\nhost: node\r\n\r\n"
BLOCK = PRIORITY * (1 << 16) if kind == "priority" else PAGE * 20


def reach():
    if where.startswith("/"):
        peer = socket.socket(socket.AF_UNIX)
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        peer.connect(where)
    else:
        host, port = where.rsplit(":", 1)
        peer = socket.create_connection((host, int(port)))
    peer.setblocking(False)
    return peer


class Line:
    def __init__(self):
        self.peer, self.rest, self.greeted, self.unanswered = reach(), memoryview(FIRST), False, 0

    def wants(self):
        return bool(self.rest) or (self.unanswered <= 10 if kind == "pages" else self.greeted)

    def write(self):
        if not self.rest:
            self.rest, self.unanswered = memoryview(BLOCK), self.unanswered + 20
        sent = self.peer.send(self.rest)
        self.rest = self.rest[sent:]
        return sent

    def read(self):
        data = self.peer.recv(1 << 20)
        if not data:
            raise OSError("closed")
        self.greeted = True
        self.unanswered -= data.count(b"HTTP/1.1 ")
        return len(data)


lines, moved, told = {}, 0, False
while True:
    while len(lines) < count:
        try:
            line = Line()
        except OSError:
            break
        lines[line.peer.fileno()] = line
    waiting = [number for number, line in lines.items() if line.wants()]
    readable, writable, _ = select.select(list(lines), waiting, [], 0.2)
    for numbers, act in ((readable, Line.read), (writable, Line.write)):
        for number in numbers:
            if number not in lines:
                continue
            try:
                moved += act(lines[number])
            except BlockingIOError:
                pass
            except OSError:
                lines.pop(number).peer.close()
    if moved > 1 << 20 and not told:
        told = True
        print("flooding", flush=True)
