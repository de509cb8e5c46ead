/* The unix socket through which the agent is asked. */
#ifndef ROLLCALL_DOOR_H
#define ROLLCALL_DOOR_H

#include <stdbool.h>

#include "deadline.h"
#include "descriptors.h"
#include "frame.h"
#include "problem.h"

/* What came of a question. */
enum door_end {
    DOOR_ANSWERED,
    DOOR_GONE,   /* the agent ended before it answered: another may be asked */
    DOOR_FAILED, /* no usable reply came in time */
};

/* Connects, so that the agent may wake while the request is put together. Where nobody listens this waits until `start`
 * for an agent that is starting; deadline becomes timeout_ms from the moment that one listens. Only a process of root,
 * or of this process's own user, is listened to. The descriptor, or -1, and problem says why. */
int door_knock(const char *path, struct deadline start, int timeout_ms, struct deadline *deadline,
               struct problem *problem);

/* One request, one reply, on a connection of their own, which is closed; all within the deadline; the request's
 * patience_ms is set here. problem says why it was not answered; with the descriptor -1, which is DOOR_FAILED, it has
 * said so already. Descriptors that came beside the reply are the caller's; there are none if it was not answered. */
enum door_end door_ask(int fd, const char *path, struct deadline deadline, rollcall_door_v1_DoorRequest *request,
                       rollcall_door_v1_DoorReply *reply, struct descriptors *descriptors, struct problem *problem);

#endif
