# lookalike.py DIRECTORY NAME ADDRESS PORT: as the owner of a delegated cgroup, makes cgroups of
# this name below it, enters the deepest, and calls from there; says "call" and the connection.
import os
import socket
import sys
import time

directory, name, address, port = sys.argv[1:5]
path = os.path.join(directory, name)
os.makedirs(path, exist_ok=True)
with open(os.path.join(path, "cgroup.procs"), "w") as procs:
    procs.write(str(os.getpid()))
with open("/proc/self/cgroup") as cgroups:
    print("in", [line for line in cgroups if line.startswith("0::")][0].strip(), flush=True)
call = socket.create_connection((address, int(port)))
near, far = call.getsockname(), call.getpeername()
print("call", near[0], near[1], far[0], far[1], flush=True)
time.sleep(600)
