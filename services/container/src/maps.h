/* The maps of a new user namespace, by the node's /proc (user_namespaces(7)). They can be written once, so what was
 * looked at stays. */
#ifndef ROLLCALL_MAPS_H
#define ROLLCALL_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "problem.h"

/* More than an owner has in /etc/subuid. */
#define MAPS_RANGES_MAX 16

struct id_range {
    unsigned long first;
    unsigned long count;
};

struct id_ranges {
    struct id_range all[MAPS_RANGES_MAX];
    size_t count;
};

/* Before the map of groups is written: else an owner could leave a group that something is closed to. */
bool maps_forbid_setgroups(int proc, pid_t pid, struct problem *problem);

bool maps_are_written(int proc, pid_t pid, struct problem *problem);

/* Whether this number is mapped, and no other but those in the ranges. Name: uid_map or gid_map. The owner has the
 * capability to become each user that is mapped. */
bool map_is_of_owner(int proc, pid_t pid, const char *name, unsigned own, const struct id_ranges *also,
                     struct problem *problem);

#endif
