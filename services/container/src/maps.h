/* The maps of a new user namespace, by the node's /proc (user_namespaces(7)). They can be written once, so what was
 * looked at stays. */
#ifndef ROLLCALL_MAPS_H
#define ROLLCALL_MAPS_H

#include <stdbool.h>
#include <sys/types.h>

#include "problem.h"

/* Before the map of groups is written: else an owner could leave a group that something is closed to. */
bool maps_forbid_setgroups(int proc, pid_t pid, struct problem *problem);

bool maps_are_written(int proc, pid_t pid, struct problem *problem);

/* Whether no user and no group is mapped but these two: the owner has the capability to become each that is. */
bool maps_are_of_owner(int proc, pid_t pid, uid_t uid, gid_t gid, struct problem *problem);

#endif
