# forks.py PROCESSES ADDRESS PORT: forks without end, and each process connects; at most so many
# processes of the user at a time. Says "forking" after the first hundred.
import os
import resource
import signal
import socket
import sys
import time

most, address, port = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
number = 0
while True:
    try:
        child = os.fork()
    except OSError:
        time.sleep(0.001)
        continue
    if child == 0:
        call = socket.socket()
        call.setblocking(False)
        try:
            call.connect((address, port))
        except OSError:
            pass
        time.sleep(0.2)
        os._exit(0)
    number += 1
    if number == 100:
        print("forking", flush=True)
