# spin.py PROCESSES MEGABYTES: takes so many cores, and so much memory in all, and writes to it again
# and again; says "spinning" when it has it.
import os
import resource
import sys

processes, megabytes = int(sys.argv[1]), int(sys.argv[2])
size = megabytes // processes << 20
resource.setrlimit(resource.RLIMIT_AS, (size + (256 << 20), size + (256 << 20)))
ready, told = os.pipe()
for _ in range(processes):
    if os.fork() == 0:
        memory = bytearray(size)
        for page in range(0, size, 4096):
            memory[page] = 1
        os.write(told, b"x")
        while True:
            for page in range(0, size, 4096):
                memory[page] = memory[page] + 1 & 255
for _ in range(processes):
    os.read(ready, 1)
print("spinning", flush=True)
os.wait()
