# forge.py SOURCE DESTINATION...: as root of a network namespace of its own, gives its
# loopback the addresses and connects from the first to port 22 of each other, from
# each source port there is; keeps the last 200 of them, says "forged" and their ports,
# and goes on until it is killed.
import socket
import struct
import subprocess
import sys

source, destinations = sys.argv[1], sys.argv[2:]
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
for address in sys.argv[1:]:
    prefix = "128" if ":" in address else "32"
    subprocess.run(["ip", "addr", "add", address + "/" + prefix, "dev", "lo"], check=True)


def stream(family):
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    return made


KEPT = 200
held = []
listeners = {}
for destination in destinations:
    listeners[destination] = stream(socket.AF_INET)
    listeners[destination].bind((destination, 22))
    listeners[destination].listen(1024)
last = 65535
while True:
    for destination, listener in listeners.items():
        for port in range(1, last + 1):
            call = stream(socket.AF_INET)
            # An abort leaves nothing in TIME_WAIT, so that the port can be used again.
            call.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            call.bind((source, port))
            call.connect((destination, 22))
            called = listener.accept()[0]
            if port > 65535 - KEPT:
                held += [call, called]
            else:
                call.close()
                called.close()
    if last == 65535:
        last -= KEPT
        print("forged", last + 1, 65535, flush=True)
