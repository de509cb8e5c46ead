# socket_pass.py give PATH ADDRESS PORT: connects, says "call" and the connection, gives the
# socket to the first who connects to the unix socket PATH, and ends.
# socket_pass.py keep PATH: takes a socket from PATH, says "kept", and keeps it.
# socket_pass.py ssh PATH: the same as ssh's ProxyCommand with ProxyUseFdpass, and ends.
# socket_pass.py close PATH ADDRESS PORT: as give, but closes its own and stays.
import os
import socket
import sys
import time

mode, path = sys.argv[1:3]
if mode in ("give", "close"):
    call = socket.create_connection((sys.argv[3], int(sys.argv[4])))
    meet = socket.socket(socket.AF_UNIX)
    meet.bind(path)
    os.chmod(path, 0o777)
    meet.listen(1)
    near, far = call.getsockname(), call.getpeername()
    print("call", near[0], near[1], far[0], far[1], flush=True)
    taker = meet.accept()[0]
    socket.send_fds(taker, [b"x"], [call.fileno()])
    taker.recv(1)
    call.close()
    print("given", flush=True)
    if mode == "close":
        time.sleep(600)
else:
    meet = socket.socket(socket.AF_UNIX)
    meet.connect(path)
    _, fds, _, _ = socket.recv_fds(meet, 1, 1)
    meet.send(b"x")
    if mode == "ssh":
        socket.send_fds(socket.socket(fileno=1), [b"x"], fds)
        os._exit(0)
    print("kept", flush=True)
    time.sleep(600)
