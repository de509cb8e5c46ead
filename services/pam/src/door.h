/* The unix socket through which the agent is asked. */
#ifndef ROLLCALL_DOOR_H
#define ROLLCALL_DOOR_H

#include <stdbool.h>

#include "deadline.h"
#include "descriptors.h"
#include "frame.h"
#include "problem.h"

/* Connects, within the deadline, so that the agent may wake while the request is put together. Only a process of root,
 * or of this process's own user, is listened to. The descriptor, or -1, and problem says why. */
int door_knock(const char *path, struct deadline deadline, struct problem *problem);

/* One request, one reply, on a connection of their own, which is closed; all within the deadline; the request's
 * patience_ms is set here. False: no usable reply came, and problem says why; with the descriptor -1 it has said so
 * already. Descriptors that came beside the reply are the caller's; there are none if it is false. */
bool door_ask(int fd, const char *path, struct deadline deadline, rollcall_door_v1_DoorRequest *request,
              rollcall_door_v1_DoorReply *reply, struct descriptors *descriptors, struct problem *problem);

#endif
