# login_socket.py knock: connects to the login socket and says what happened. login_socket.py carry PATH: as root, connects
# to the login socket and gives the connection to the first who comes to PATH; stays. login_socket.py use PATH: takes
# it there, asks as a login does, and says what came back.
import os
import socket
import struct
import sys
import time

LOGIN_SOCKET = "/run/rollcall/login.sock"
mode = sys.argv[1]
if mode == "knock":
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(LOGIN_SOCKET)
        print("knocked connected", flush=True)
    except OSError as error:
        print("knocked", type(error).__name__, flush=True)
elif mode == "carry":
    meet = socket.socket(socket.AF_UNIX)
    meet.bind(sys.argv[2])
    os.chmod(sys.argv[2], 0o777)
    meet.listen(1)
    print("waiting", flush=True)
    taker = meet.accept()[0]
    connection = socket.socket(socket.AF_UNIX)
    # The kernel notes who connects, at connect(2): so that it is the taker's, root asks as them.
    if sys.argv[3] != "0":
        os.seteuid(int(sys.argv[3]))
    connection.connect(LOGIN_SOCKET if len(sys.argv) < 5 else sys.argv[4])
    socket.send_fds(taker, [b"x"], [connection.fileno()])
    connection.close()
    time.sleep(600)
else:
    meet = socket.socket(socket.AF_UNIX)
    meet.connect(sys.argv[2])
    _, fds, _, _ = socket.recv_fds(meet, 1, 1)
    connection = socket.socket(fileno=fds[0])
    connection.settimeout(10)
    said = b""
    try:
        connection.sendall(struct.pack(">I", 4) + b"\x0a\x02hi")
        said = connection.recv(65536)
        print("heard", repr(said), flush=True)
    except OSError as error:
        print("heard", type(error).__name__, flush=True)
