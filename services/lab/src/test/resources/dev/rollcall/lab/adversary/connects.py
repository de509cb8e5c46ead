# connects.py HOW TIMES ADDRESS[,ADDRESS...] PORT: begins connections to a port, of each address in
# turn, again and again, and drops them; says "flooding" after the first thousand and "done" after TIMES. HOW syn
# does not wait for an answer; made waits, and says nothing; speak begins as ssh does.
import socket
import struct
import sys

how, times, addresses, port = sys.argv[1], int(sys.argv[2]), sys.argv[3].split(","), int(sys.argv[4])
for number in range(1, times + 1):
    call = socket.socket()
    call.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    call.setblocking(how != "syn")
    try:
        call.connect((addresses[number % len(addresses)], port))
        if how == "speak":
            call.send(b"SSH-2.0-flood\r\n")
    except OSError:
        pass
    call.close()
    if number == 1000:
        print("flooding", flush=True)
print("done", flush=True)
