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

/* The same for a session that move_into has moved before: it may still be in some of its cgroups. */
enum moving move_again(const rollcall_login_v1_Job *job, uint64_t session, struct place *place,
                       struct problem *problem);

enum presence {
    PRESENT_WHOLLY,  /* in each of the job's cgroups, or below it */
    PRESENT_IN_PART, /* so in the hierarchy that identifies the job, and not in another one: systemd moves a session out
                       of the v1 hierarchies of its own controllers (memory, pids, cpu and others) */
    ABSENT,          /* not in the hierarchy that identifies the job, or that cannot be read */
};

/* Whether this process is in the job. place is set unless it is absent; problem is set unless it is in the job. */
enum presence move_presence(const rollcall_login_v1_Job *job, struct place *place, struct problem *problem);

#endif
