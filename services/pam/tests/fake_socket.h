/* An agent's login socket for tests: a process that speaks the real frames on a real socket, with answers that the test
 * wrote beforehand. */
#ifndef ROLLCALL_FAKE_SOCKET_H
#define ROLLCALL_FAKE_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "rollcall/loginsocket/v1/login_socket.pb.h"

enum fake_manner {
    FAKE_REPLY,
    FAKE_BYTE_BY_BYTE, /* the reply, a byte every 20 ms */
    FAKE_DESCRIPTORS,  /* the reply, with the descriptors beside it */
    FAKE_TORN,         /* garbage in a sound frame, with the descriptors beside it */
    FAKE_TWICE,        /* the reply two times in one send */
    FAKE_TRUNCATED,    /* all of the reply but its last byte, then the end */
    FAKE_OVERSIZED,    /* a header that announces 32769 bytes */
    FAKE_GARBAGE,      /* 64 bytes of ff in a sound frame */
    FAKE_EMPTY,        /* a frame of no bytes */
    FAKE_HANG_UP,      /* reads the request and closes */
    FAKE_SILENT,       /* reads the request and waits until the peer closes */
};

struct fake_answer {
    enum fake_manner manner;
    bool where_peer_is; /* puts the peer's real cgroup into the reply */
    int descriptors[3]; /* open before the login socket opens */
    size_t descriptor_count;
    rollcall_loginsocket_v1_LoginReply reply;
};

struct fake_socket {
    const char *path;
    pid_t pid;
    int requests; /* the requests as they came, one datagram each */
};

/* The first connection gets the first answer, and so on; the last one is repeated. The process serves as uid. It
 * listens before this returns. */
void fake_socket_open(struct fake_socket *login_socket, const char *path, uid_t uid, const struct fake_answer *answers,
                      size_t count);

/* The next request; false if none came within two seconds, or it cannot be read. */
bool fake_socket_request(struct fake_socket *login_socket, rollcall_loginsocket_v1_LoginRequest *request);

/* True if there is a request that was not taken yet. */
bool fake_socket_was_asked(struct fake_socket *login_socket);

void fake_socket_close(struct fake_socket *login_socket);

#endif
