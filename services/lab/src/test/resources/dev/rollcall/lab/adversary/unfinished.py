# unfinished.py SOCKET CONNECTIONS CALLS BYTES UID...: as each of the users opens connections to the
# socket, and on each as many calls, of which every one begins a message of so many bytes and never
# ends it. A connection that is closed is made anew. Started by root, for each user a process that
# is that user's alone. Says "holding" when each user has written on all connections.
import os
import socket
import struct
import sys
import time

where = sys.argv[1]
connections, calls, size = map(int, sys.argv[2:5])
users = list(map(int, sys.argv[5:]))


def frame(kind, flags, stream, payload):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def literal(name, value):
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


HEADERS = b"".join(
    literal(name, value)
    for name, value in [
        (b":method", b"POST"),
        (b":scheme", b"http"),
        (b":path", b"/rollcall.v1.CallerIdService/Identify"),
        (b":authority", b"localhost"),
        (b"content-type", b"application/grpc"),
        (b"te", b"trailers"),
    ]
)
BEGUN = b"\0" + struct.pack(">I", size) + b"\0" * (size - 1)


def reach():
    peer = socket.socket(socket.AF_UNIX)
    peer.settimeout(0.2)
    try:
        peer.connect(where)
        peer.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, b""))
        for call in range(calls):
            peer.sendall(frame(1, 4, 2 * call + 1, HEADERS))
        # The window of a connection is 65,535 bytes.
        for call in range(calls):
            peer.sendall(frame(0, 0, 2 * call + 1, BEGUN[:16000]))
    except OSError:
        pass  # the server reads no more of it, or has closed it
    return peer


def is_closed(peer):
    try:
        peer.setblocking(False)
        while True:
            if not peer.recv(1 << 16):
                return True
    except BlockingIOError:
        return False
    except OSError:
        return True


def attack(told):
    peers = [reach() for _ in range(connections)]
    os.write(told, b".")
    while True:
        for index, peer in enumerate(peers):
            if is_closed(peer):
                peer.close()
                peers[index] = reach()
        time.sleep(0.05)


hearing, told = os.pipe()
for user in users:
    if os.fork() == 0:
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
        attack(told)
for _ in users:
    os.read(hearing, 1)
print("holding", flush=True)
while True:
    time.sleep(60)
