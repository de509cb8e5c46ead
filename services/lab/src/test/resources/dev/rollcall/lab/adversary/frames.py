# frames.py WHERE CONNECTIONS KIND: writes to a unix socket or HOST:PORT without end, over some
# connections at once, and reads what comes back. KIND refused: requests for a method that is
# none; pages: requests for metrics, 20 on each connection before their answers. A connection
# that is closed is made anew. Says "flooding" when it is under way.
import select
import socket
import sys

where, count, kind = sys.argv[1], int(sys.argv[2]), sys.argv[3]


REFUSED = b"\0\0\0\3\x0a\1x"
PAGE = b"GET /metrics HTTP/1.1\r\nhost: node\r\n\r\n"
BLOCK = REFUSED * (1 << 14) if kind == "refused" else PAGE * 20


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
        self.peer, self.rest, self.unanswered = reach(), memoryview(b""), 0

    def wants(self):
        return bool(self.rest) or kind != "pages" or self.unanswered <= 10

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
