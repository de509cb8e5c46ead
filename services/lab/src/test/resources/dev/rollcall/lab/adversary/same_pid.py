# same_pid.py PID UID SECONDS: as root, starts a process that has this pid (clone3(2) with
# set_tid, Linux 5.5) as the user; says "running". Fails if the pid is in use.
import ctypes
import os
import signal
import struct
import sys
import time

pid, uid = int(sys.argv[1]), int(sys.argv[2])
wanted = (ctypes.c_int * 1)(pid)
arguments = ctypes.create_string_buffer(
    struct.pack("<QQQQQQQQQQ", 0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0, ctypes.addressof(wanted), 1)
)
libc = ctypes.CDLL(None, use_errno=True)
child = libc.syscall(435, arguments, 80)
if child < 0:
    sys.exit("clone3: " + os.strerror(ctypes.get_errno()))
if child == 0:
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    print("running", os.getpid(), flush=True)
    time.sleep(600)
os.waitpid(child, 0)
