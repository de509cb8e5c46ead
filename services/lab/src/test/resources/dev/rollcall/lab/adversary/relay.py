# relay.py PID ADDRESS PORT: listens on this machine's loopback, says "listening" and the port, and
# carries what comes to the address as it is reached from the network namespace of the process.
import ctypes
import os
import socket
import sys
import threading

here = socket.socket()
here.bind(("127.0.0.1", 0))
here.listen(16)
print("listening", here.getsockname()[1], flush=True)
namespace = os.open("/proc/%s/ns/net" % sys.argv[1], os.O_RDONLY)
if ctypes.CDLL(None, use_errno=True).setns(namespace, 0x40000000) != 0:
    sys.exit("setns: " + os.strerror(ctypes.get_errno()))


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


while True:
    near = here.accept()[0]
    far = socket.create_connection((sys.argv[2], int(sys.argv[3])))
    for ends in ((near, far), (far, near)):
        threading.Thread(target=carry, args=ends, daemon=True).start()
