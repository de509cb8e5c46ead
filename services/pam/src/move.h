/* Moves this process into a job, by the job's file and without the agent. */
#ifndef ROLLCALL_MOVE_H
#define ROLLCALL_MOVE_H

#include <stdint.h>
#include <sys/types.h>

#include "problem.h"
#include "rollcall/login/v1/login.pb.h"

enum moving {
    MOVE_DONE,      /* the kernel shows it, in every hierarchy of the job */
    MOVE_NOT_BEGUN, /* the process is where it was: the agent may be asked to move it */
    MOVE_HALF_DONE, /* it is in some of the job's cgroups, and could not be moved back */
};

/* Where the process is then, in the hierarchy that identifies the job: as /proc/self/cgroup shows it. */
struct place {
    char hierarchy[32];
    char path[576];
};

/* The number of a session that the module begins: by its process, so that no other has it. The agent's own numbers are
 * below 2^32; these are above, and have at most 18 digits for the first 7 years after boot. */
uint64_t move_session(pid_t pid, uint64_t process_start_ns);

/* Makes the session's leaf, session_<number>, below each of the job's cgroups that is to have one, and moves the
 * calling thread into it, which is to be its process's only one. A process that is in some job, and a job that is
 * frozen or of which that cannot be read, are MOVE_NOT_BEGUN; one that is frozen a few microseconds after the look
 * holds the process. problem is set if it is not MOVE_DONE. */
enum moving move_into(const rollcall_login_v1_Job *job, uint64_t session, struct place *place, struct problem *problem);

#endif
