/* A reply like the agent's, made by this process of what the agent's files say. */
#ifndef ROLLCALL_FILE_REPLY_H
#define ROLLCALL_FILE_REPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "descriptors.h"
#include "move.h"
#include "problem.h"
#include "rollcall/login/v1/login.pb.h"
#include "rollcall/loginsocket/v1/login_socket.pb.h"
#include "visit.h"

/* Sets all that is looked at of a reply: most of its 56 KiB is not written. */
void file_reply_begin(rollcall_loginsocket_v1_LoginReply *reply, rollcall_loginsocket_v1_ReplyOutcome outcome,
                      const char *reason);

/* Begins one of a process that is in the job, at this place. */
void file_reply_with_job(const rollcall_login_v1_Job *job, const struct place *place, const char *reason,
                         rollcall_loginsocket_v1_LoginReply *reply);

/* Begins one of a process that is in a part of the job's cgroups. */
void file_reply_deny_half_moved(uint64_t job_id, rollcall_loginsocket_v1_LoginReply *reply);

/* A variable that is there already stays, and what has no room is left out. */
void file_reply_put(rollcall_loginsocket_v1_LoginReply *reply, const char *name, const char *value);
void file_reply_put_all(rollcall_loginsocket_v1_LoginReply *reply, const rollcall_login_v1_Variable *variables,
                        size_t count);

/* Adds what the session phase gives, in the process whose children are the session: limits, and the job's namespaces,
 * open. False, and problem says why: one of these cannot be used, and none is open. */
bool file_reply_add_session(const struct visit *visit, const rollcall_login_v1_Job *job,
                            rollcall_loginsocket_v1_LoginReply *reply, struct descriptors *descriptors,
                            struct problem *problem);

#endif
