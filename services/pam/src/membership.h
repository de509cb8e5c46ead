/* Whether a process is where the agent says that it put it. */
#ifndef ROLLCALL_MEMBERSHIP_H
#define ROLLCALL_MEMBERSHIP_H

#include <stdbool.h>

#include "problem.h"

#define MEMBERSHIP_SELF "/proc/self/cgroup"

/* True if the file, in the form of /proc/<pid>/cgroup (cgroups(7)), shows exactly that path in that hierarchy: "" is
 * v2, else the name of a v1 controller or, as "name=systemd", of a named hierarchy. A path below it, or with "
 * (deleted)" after it, is not it. */
bool membership_shown(const char *file, const char *hierarchy, const char *path, struct problem *problem);

#endif
