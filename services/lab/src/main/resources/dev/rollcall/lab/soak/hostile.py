# hostile.py KIND SOCKET SECONDS: one of a user's attacks on agent.sock, for so many seconds. Opens
# connections anew that are closed, writes what KIND says and reads what comes back. Without a gRPC
# library: the frames of HTTP/2 by hand. Says "reached" when the first bytes came back.
# hostile.py relay PID ADDRESS PORT: listens on this machine's loopback, says "listening" and the
# port, and carries what comes to the address as the network namespace of the process reaches it.
import ctypes
import os
import resource
import select
import socket
import struct
import sys
import threading
import time


def frame(kind, flags, stream, payload):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def text(name, value):
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


def headers(more=()):
    pairs = [
        (b":method", b"POST"),
        (b":scheme", b"http"),
        (b":path", b"/rollcall.v1.CallerIdService/Identify"),
        (b":authority", b"localhost"),
        (b"content-type", b"application/grpc"),
        (b"te", b"trailers"),
    ]
    return b"".join(text(name, value) for name, value in pairs + list(more))


def field(number, payload):
    return bytes([number << 3 | 2, len(payload)]) + payload


def endpoint(address, port):
    return field(1, address.encode()) + b"\x10" + bytes([port & 127 | 128, port >> 7])


PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, b"")
ZIPPED = [(b"grpc-encoding", b"gzip")]


def calls(first, message, flags, more=()):
    """Eight calls, each with this message; flags 0: it is not the last."""
    streams = range(first, first + 16, 2)
    return b"".join(frame(1, 4, s, headers(more)) + frame(0, flags, s, message(s)) for s in streams)


def question(stream):
    connection = b"\x08\x01" + field(2, endpoint("10.77.0.12", 200 + stream % 10000)) + field(3, endpoint("10.77.0.11", 200))
    request = field(1, connection)
    return b"\0" + struct.pack(">I", len(request)) + request


def partial(stream):
    return b"\0" + struct.pack(">I", 16000) + b"x" * 8000


def compressed(stream):
    return b"\1" + struct.pack(">I", 1000) + b"\x1f\x8b\x08" + b"\0" * 997


# For each kind: how many connections, and what each writes next from a number of a stream on.
KINDS = {
    "partial-messages": (60, lambda stream: calls(stream, partial, 0)),
    "priority-frames": (8, lambda stream: frame(2, 0, 3, b"\0\0\0\0\7") * 4096),
    "pings": (8, lambda stream: frame(6, 0, 0, b"12345678") * 1024),
    "compressed-messages": (8, lambda stream: calls(stream, compressed, 1, ZIPPED)),
    "crowd": (900, lambda stream: b""),
    "questions": (8, lambda stream: calls(stream, question, 1)),
}


class Line:
    def __init__(self, path, writes):
        self.writes, self.stream, self.rest = writes, 1, memoryview(PREFACE)
        self.peer = socket.socket(socket.AF_UNIX)
        self.peer.setblocking(False)
        try:
            self.peer.connect(path)
        except OSError:
            self.peer.close()
            raise

    def write(self):
        if not self.rest:
            self.rest = memoryview(self.writes(self.stream))
            self.stream += 16
        self.rest = self.rest[self.peer.send(self.rest) :]

    def read(self):
        data = self.peer.recv(1 << 20)
        if not data:
            raise OSError("closed")

    def wants(self, is_silent):
        return bool(self.rest) or not is_silent


def attack(kind, path, until):
    count, writes = KINDS[kind]
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(limit, 4096),) * 2)
    lines, told = {}, False
    poll = select.poll()
    while time.monotonic() < until:
        for _ in range(count - len(lines)):
            try:
                line = Line(path, writes)
            except OSError:
                break  # no agent, or no room
            lines[line.peer.fileno()] = line
        for number, line in lines.items():
            poll.register(number, select.POLLIN | (select.POLLOUT if line.wants(kind == "crowd") else 0))
        for number, event in poll.poll(100):
            try:
                if event & ~select.POLLOUT:
                    lines[number].read()
                    told = told or print("reached", flush=True) or True
                if event & select.POLLOUT:
                    lines[number].write()
            except BlockingIOError:
                pass
            except OSError:
                poll.unregister(number)
                lines.pop(number).peer.close()


def carry(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def relay(pid, address, port):
    here = socket.create_server(("127.0.0.1", 0))
    print("listening", here.getsockname()[1], flush=True)
    namespace = os.open("/proc/%s/ns/net" % pid, os.O_RDONLY)
    if ctypes.CDLL(None, use_errno=True).setns(namespace, 0x40000000) != 0:
        sys.exit("setns: " + os.strerror(ctypes.get_errno()))
    while True:
        near = here.accept()[0]
        try:
            far = socket.create_connection((address, int(port)), 2)
            far.settimeout(None)
        except OSError:
            near.close()
            continue
        for ends in ((near, far), (far, near)):
            threading.Thread(target=carry, args=ends, daemon=True).start()


if sys.argv[1] == "relay":
    relay(*sys.argv[2:5])
else:
    attack(sys.argv[1], sys.argv[2], time.monotonic() + float(sys.argv[3]))
