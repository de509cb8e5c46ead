# unfinished.py SOCKET CONNECTIONS BYTES UID...: as each of the users opens connections to the socket,
# and on each begins a frame of so many bytes and never ends it. A connection that is closed is made anew. Started by root, for each user a process that
# is that user's alone. Says "holding" when each user has written on all connections.
import os
import socket
import struct
import sys
import time

where = sys.argv[1]
connections, size = map(int, sys.argv[2:4])
users = list(map(int, sys.argv[4:]))


BEGUN = struct.pack(">I", size) + b"\0" * (size - 1)


def reach():
    peer = socket.socket(socket.AF_UNIX)
    peer.settimeout(0.2)
    try:
        peer.connect(where)
        peer.sendall(BEGUN)
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
