/* The resource limits of the job's steps, for the session. */
#ifndef ROLLCALL_RLIMITS_H
#define ROLLCALL_RLIMITS_H

#include <stdbool.h>

#include "problem.h"
#include "rollcall/loginsocket/v1/login_socket.pb.h"

/* Sets them for this process, whose children inherit them, and reads each back. False: at the first that does not hold,
 * named in problem; those before it stay. */
bool rlimits_set(const rollcall_loginsocket_v1_LoginReply *reply, struct problem *problem);

/* Gives this process the oom_score_adj that steps of jobs have, 0: sshd's children have the value with which sshd was
 * started (OpenSSH, oom_adjust_restore). To raise it needs no right, to lower it CAP_SYS_RESOURCE (proc(5)). */
bool rlimits_reset_oom_score(struct problem *problem);

#endif
