# hostile.py KIND SOCKET SECONDS: one of a user's attacks on agent.sock, for so many seconds. Opens
# connections anew that are closed, writes what KIND says and reads what comes back
# (docs/local-socket-protocol.md). Says "reached" when the first bytes came back.
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


def field(number, payload):
    length = bytes([len(payload)]) if len(payload) < 128 else bytes([len(payload) & 127 | 128, len(payload) >> 7])
    return bytes([number << 3 | 2]) + length + payload


def endpoint(address, port):
    return field(1, address.encode()) + b"\x10" + bytes([port & 127 | 128, port >> 7])


def frame(message):
    return struct.pack(">I", len(message)) + message


def call(method, message):
    return frame(field(1, b"rollcall.v1." + method) + field(2, message))


def question(number):
    connection = b"\x08\x01" + field(2, endpoint("10.77.2.12", 200 + number % 10000)) + field(3, endpoint("10.77.1.11", 200))
    return call(b"CallerIdService/Identify", field(1, connection))


# Each connection begins with this, which is answered.
FIRST = call(b"JobService/None", b"")

# Unknown groups, one in the other.
GROUPS = call(b"JobService/Get", b"\x7b" * 8000 + b"\x7c" * 8000)


# For each kind: how many connections, and what each writes next; from a number on, where that matters.
KINDS = {
    "partial-frames": (60, lambda _: frame(b"x" * 16000)[:8000]),
    "empty-frames": (8, lambda _: frame(b"")),
    "unknown-methods": (8, lambda _: call(b"JobService/None", b"") * 1024),
    "groups": (8, lambda _: GROUPS * 8),
    "crowd": (900, lambda _: b""),
    "questions": (8, lambda number: b"".join(map(question, range(number, number + 8)))),
}


class Line:
    def __init__(self, path, writes):
        self.writes, self.number, self.rest = writes, 1, memoryview(FIRST)
        self.peer = socket.socket(socket.AF_UNIX)
        self.peer.setblocking(False)
        try:
            self.peer.connect(path)
        except OSError:
            self.peer.close()
            raise

    def write(self):
        if not self.rest:
            self.rest = memoryview(self.writes(self.number))
            self.number += 8
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
