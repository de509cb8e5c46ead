/* The unix socket through which the agent is asked. */
#ifndef ROLLCALL_LOGIN_SOCKET_H
#define ROLLCALL_LOGIN_SOCKET_H

#include <stdbool.h>

#include "deadline.h"
#include "descriptors.h"
#include "frame.h"
#include "problem.h"

/* What came of a question. */
enum login_socket_end {
    LOGIN_SOCKET_ANSWERED,
    LOGIN_SOCKET_GONE,   /* the agent ended before it answered: another may be asked */
    LOGIN_SOCKET_FAILED, /* no usable reply came in time */
};

/* Connects, so that the agent may wake while the request is put together. Where nobody listens this waits until `start`
 * for an agent that is starting; deadline becomes timeout_ms from the moment that one listens. Only a process of root,
 * or of this process's own user, is listened to. The descriptor, or -1, and problem says why. */
int login_socket_connect(const char *path, struct deadline start, int timeout_ms, struct deadline *deadline,
                         struct problem *problem);

/* One request, one reply, on a connection of their own, which is closed; all within the deadline; the request's
 * patience_ms is set here. problem says why it was not answered; with the descriptor -1, which is LOGIN_SOCKET_FAILED,
 * it has said so already. Descriptors that came beside the reply are the caller's; there are none if it was not
 * answered. */
enum login_socket_end login_socket_ask(int fd, const char *path, struct deadline deadline,
                                       rollcall_loginsocket_v1_LoginRequest *request,
                                       rollcall_loginsocket_v1_LoginReply *reply, struct descriptors *descriptors,
                                       struct problem *problem);

#endif
