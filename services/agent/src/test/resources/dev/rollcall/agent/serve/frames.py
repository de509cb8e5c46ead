"""Opens connections to a local socket, sends the same bytes on each, and reads nothing; opens those again that the agent closes.
Arguments: socket, connections, a file with the bytes, then "answered" to wait until each connection has something to read, else "sent". Prints how many
connections there are, and stays until its input ends. With 0 connections it sends the bytes once, reads one frame, and prints how many milliseconds that
took, or what came instead."""
import select
import socket
import sys
import threading
import time

path, connections, until = sys.argv[1], int(sys.argv[2]), sys.argv[4]
with open(sys.argv[3], "rb") as file:
    sent = file.read()


def connect():
    one = socket.socket(socket.AF_UNIX)
    one.settimeout(10)
    try:
        one.connect(path)
        one.sendall(sent)
    except OSError:
        pass
    return one


def frame(one):
    heard = b""
    while len(heard) < 4 or len(heard) < 4 + int.from_bytes(heard[:4], "big"):
        more = one.recv(65536)
        if not more:
            raise OSError("closed")
        heard += more
    return heard[4:]


def is_open(one):
    poll = select.poll()
    poll.register(one, 0)
    return not poll.poll(0)


def again(opened):
    while True:
        for place, one in enumerate(opened):
            if not is_open(one):
                one.close()
                opened[place] = connect()
        time.sleep(0.05)


if connections == 0:
    began = time.monotonic()
    try:
        frame(connect())
        print(int((time.monotonic() - began) * 1000), flush=True)
    except OSError as problem:
        print(problem, flush=True)
    sys.exit(0)
opened = [connect() for _ in range(connections)]
if until == "answered":
    for one in opened:
        select.select([one], [], [], 10)
print(sum(map(is_open, opened)), flush=True)
threading.Thread(target=again, args=(opened,), daemon=True).start()
sys.stdin.read()
