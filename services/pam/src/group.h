/* The job's group among the session's. */
#ifndef ROLLCALL_GROUP_H
#define ROLLCALL_GROUP_H

#include <stdbool.h>
#include <sys/types.h>

#include "problem.h"

/* Adds it to this process's supplementary groups, if it is not among them. Needs CAP_SETGID. False: nothing was
 * changed, and problem says why. */
bool group_join(gid_t group, struct problem *problem);

#endif
