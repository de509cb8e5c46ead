# crowd.py SOCKET COUNT KIND: opens connections to a unix socket or HOST:PORT and keeps
# them. Says "crowded", how many it has and how many were refused. KIND silent says nothing;
# drip sends a byte of a request to each in turn, for ever; hello does so with a TLS record;
# preface begins HTTP/2 and then is silent. Says "dropped" once none of the first is left.
import resource
import select
import socket
import sys
import time

where, count, kind = sys.argv[1], int(sys.argv[2]), sys.argv[3]
limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"
WORDS = {
    "preface": PREFACE,
    "hello": b"\x16\x03\x01\x10\x00\x01\x00\x0f\xfc\x03\x03" + b"x" * 4000,
}.get(kind, b"GET /metrics HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 4000)


def reach():
    if where.startswith("/"):
        peer = socket.socket(socket.AF_UNIX)
        peer.settimeout(2)
        peer.connect(where)
    else:
        host, port = where.rsplit(":", 1)
        peer = socket.create_connection((host, int(port)), 2)
    if kind == "preface":
        peer.send(PREFACE)
    peer.setblocking(False)
    return peer


def is_open(peer):
    try:
        while True:
            if not peer.recv(65536):
                return False
    except BlockingIOError:
        return True
    except OSError:
        return False


peers, refused = [], 0
for _ in range(count):
    try:
        peers.append(reach())
    except OSError:
        refused += 1
print("crowded", len(peers), refused, flush=True)
first, at, told = list(peers), 0, False
while True:
    if kind in ("drip", "hello"):
        for peer in peers:
            try:
                peer.send(WORDS[at % len(WORDS):][:1])
            except OSError:
                pass
        at += 1
    first = [peer for peer in first if is_open(peer)]
    if not first and not told:
        told = True
        print("dropped", flush=True)
    time.sleep(0.2)
