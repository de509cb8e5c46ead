# call.py MODE FROM PORT TO PORT: connects from one address and port ("-" and 0: any)
# to another. MODE hold says "call" and the connection, and keeps it; relay carries
# what comes on standard input, as ssh's ProxyCommand; abort leaves nothing behind;
# make makes the socket, says "made", waits for the file /run/meeting/go and holds.
import os
import select
import socket
import struct
import sys
import time

mode, source, source_port, target, target_port = sys.argv[1:6]
family = socket.AF_INET6 if ":" in target else socket.AF_INET
call = socket.socket(family, socket.SOCK_STREAM)
call.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
if source != "-" or source_port != "0":
    any_address = "::" if family == socket.AF_INET6 else "0.0.0.0"
    call.bind((any_address if source == "-" else source, int(source_port)))
if mode == "make":
    print("made", flush=True)
    while not os.path.exists("/run/meeting/go"):
        time.sleep(0.01)
if mode == "abort":
    call.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
call.connect(socket.getaddrinfo(target, int(target_port), family, socket.SOCK_STREAM)[0][4])
if mode == "abort":
    call.close()
    print("aborted", flush=True)
elif mode == "relay":
    ends = {0: call.fileno(), call.fileno(): 1}
    while ends:
        for end in select.select(list(ends), [], [])[0]:
            data = os.read(end, 65536)
            if not data:
                if end == call.fileno():
                    sys.exit(0)
                call.shutdown(socket.SHUT_WR)
                del ends[end]
            while data:
                data = data[os.write(ends[end], data):]
else:
    near, far = call.getsockname(), call.getpeername()
    words = [near[0], near[1], far[0], far[1]]
    print("call", *[str(w).replace("::ffff:", "").split("%")[0] for w in words], flush=True)
    time.sleep(600)
