/* Whether a process is where the agent says that it put it. */
#ifndef ROLLCALL_MEMBERSHIP_H
#define ROLLCALL_MEMBERSHIP_H

#include <stdbool.h>
#include <stddef.h>

#include "problem.h"

#define MEMBERSHIP_SELF "/proc/self/cgroup"
/* v1 has 13 controllers at most, and paths of jobs are short: 16 KiB is several times what a node shows. */
#define MEMBERSHIP_MAX (16 * 1024)

/* True if the file, in the form of /proc/<pid>/cgroup (cgroups(7)), shows exactly that path in that hierarchy: "" is
 * v2, else the name of a v1 controller or, as "name=systemd", of a named hierarchy. A path below it, or with "
 * (deleted)" after it, is not it. */
bool membership_shown(const char *file, const char *hierarchy, const char *path, struct problem *problem);

/* The text of such a file. False, and problem says why: it cannot be read, or is too long. */
bool membership_read(const char *file, char text[MEMBERSHIP_MAX], struct problem *problem);

/* The path that such a text shows in a hierarchy, up to the end of its line, and its length; NULL: it shows none. */
const char *membership_path(const char *text, const char *hierarchy, size_t *length);

#endif
