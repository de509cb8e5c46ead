/* The resource limits of the job's steps, for the session. */
#ifndef ROLLCALL_RLIMITS_H
#define ROLLCALL_RLIMITS_H

#include <stdbool.h>

#include "problem.h"
#include "rollcall/loginsocket/v1/login_socket.pb.h"

/* Sets them for this process, whose children inherit them, and reads each back. False: at the first that does not hold,
 * named in problem; those before it stay. */
bool rlimits_set(const rollcall_loginsocket_v1_LoginReply *reply, struct problem *problem);

#endif
