/* A login by the agent's files: decided, carried out and recorded by this process, without a question to the agent. */
#ifndef ROLLCALL_FILE_LOGIN_H
#define ROLLCALL_FILE_LOGIN_H

#include <stdbool.h>
#include <stdint.h>

#include "descriptors.h"
#include "problem.h"
#include "rollcall/loginsocket/v1/login_socket.pb.h"
#include "visit.h"

/* What the session phase needs of the account phase: the job that the process is in. */
struct file_session {
    uint64_t job_id;    /* 0: none */
    const char *reason; /* a word of docs/adoption.md, of static storage */
};

/* Decides about the login that the request describes, carries the decision out, and appends its record. True: reply
 * says what came of it, as the agent's reply would; session is set if the process is in a job. False: the agent is to
 * be asked, and problem says why; the process is where it was, or in a job where an agent finds it. */
bool file_login(const struct visit *visit, const rollcall_loginsocket_v1_LoginRequest *request,
                struct file_session *session, rollcall_loginsocket_v1_LoginReply *reply,
                struct descriptors *descriptors, struct problem *problem);

/* The same for the session phase of a process that file_login put into a job. Nothing is recorded again. If the process
 * was moved out since, as pam_systemd does, it is moved back into its session's leaf, unless an agent runs. */
bool file_login_again(const struct visit *visit, const struct file_session *session,
                      rollcall_loginsocket_v1_LoginReply *reply, struct descriptors *descriptors,
                      struct problem *problem);

#endif
