# datagram.py ADDRESS PORT FILES: makes a connected UDP socket, says "socket", its inode and the
# connection, and keeps it. datagram.py twin INODE DIRECTORY NUMBERED: keeps open what looks like
# it: files called socket:[INODE] in DIRECTORY, by that name alone and below one another, a memfd
# of that name, and the file INODE in NUMBERED, of which it says the "number"; says "twins".
import os
import socket
import sys
import time

if sys.argv[1] == "twin":
    name = "socket:[%s]" % sys.argv[2]
    os.chdir(sys.argv[3])
    kept = [os.open(name, os.O_CREAT | os.O_RDWR), os.memfd_create(name)]
    os.makedirs("d/" + name, exist_ok=True)
    kept.append(os.open("d/" + name, os.O_RDONLY))
    kept.append(os.open("d/" + name + "/" + name, os.O_CREAT | os.O_RDWR))
    os.unlink("d/" + name + "/" + name)
    os.chdir("d/" + name)
    kept.append(os.open(sys.argv[4] + "/" + sys.argv[2], os.O_RDONLY))
    print("number", os.fstat(kept[-1]).st_ino, flush=True)
    print("twins", *[os.readlink("/proc/self/fd/%d" % fd) for fd in kept], flush=True)
else:
    call = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    call.connect((sys.argv[1], int(sys.argv[2])))
    near, far = call.getsockname(), call.getpeername()
    print("inode", os.fstat(call.fileno()).st_ino, flush=True)
    print("call", near[0], near[1], far[0], far[1], flush=True)
time.sleep(600)
