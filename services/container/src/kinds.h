/* The kinds of namespaces, in the order in which they are joined: users first, as the right to the others comes with
 * it; mounts last, as every path means something else from then on. */
#ifndef ROLLCALL_KINDS_H
#define ROLLCALL_KINDS_H

#include <stddef.h>

enum kind { KIND_USER, KIND_PID, KIND_IPC, KIND_UTS, KIND_NET, KIND_CGROUP, KIND_MOUNT };

#define KINDS ((int)KIND_MOUNT + 1)

/* As in options and in messages: "mount". */
const char *kind_word(enum kind kind);

/* As in /proc/PID/ns and among pins: "mnt". */
const char *kind_file(enum kind kind);

/* The flag of clone(2). */
int kind_flag(enum kind kind);

/* The words of all kinds in the flags, with commas between. */
void kinds_list(int flags, char *text, size_t size);

#endif
