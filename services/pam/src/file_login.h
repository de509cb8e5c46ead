/* A login by the agent's files: decided, carried out and recorded by this process, without a question to the agent. */
#ifndef ROLLCALL_FILE_LOGIN_H
#define ROLLCALL_FILE_LOGIN_H

#include <stdbool.h>
#include <stdint.h>

#include "deadline.h"
#include "descriptors.h"
#include "problem.h"
#include "rollcall/loginsocket/v1/login_socket.pb.h"
#include "visit.h"

/* What the session phase needs of the account phase: the job that the process is in. */
struct file_session {
    uint64_t job_id;    /* 0: none */
    const char *reason; /* a word of docs/adoption.md, of static storage */
};

enum file_answer {
    FILE_DECIDED,  /* reply says what came of it, as the agent's reply would; session is set if the process is in a job
                    */
    FILE_ASKS,     /* ask the agent; file_login_join can do what it decides */
    FILE_UNUSABLE, /* ask the agent, and let it move the process, which may be in a job where the agent finds it */
};

/* Decides about the login that the request describes, carries the decision out, and appends its record. An agent that
 * was asked and did not answer counts as none (asked). problem is set if it is not FILE_DECIDED. */
enum file_answer file_login(const struct visit *visit, const rollcall_loginsocket_v1_LoginRequest *request, bool asked,
                            struct file_session *session, rollcall_loginsocket_v1_LoginReply *reply,
                            struct descriptors *descriptors, struct problem *problem);

/* Carries out and records what the agent decided: reply has REPLY_OUTCOME_JOIN. Waits for the user's lock until the
 * deadline at most. True: as FILE_DECIDED. False: the agent is to move the process, and problem says why. */
bool file_login_join(const struct visit *visit, const rollcall_loginsocket_v1_LoginRequest *request,
                     struct deadline deadline, struct file_session *session, rollcall_loginsocket_v1_LoginReply *reply,
                     struct descriptors *descriptors, struct problem *problem);

/* The same for the session phase of a process that these put into a job. Nothing is recorded again. If the process
 * was moved out since, as pam_systemd does, it is moved back into its session's leaf, unless an agent runs that was not
 * asked yet (asked: it did not answer). */
bool file_login_again(const struct visit *visit, const struct file_session *session, bool asked,
                      rollcall_loginsocket_v1_LoginReply *reply, struct descriptors *descriptors,
                      struct problem *problem);

#endif
