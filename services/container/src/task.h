/* The container that a task of the job runs in, which enroot, podman or apptainer made: its namespaces, found among
 * the user's own processes in /proc. All of it is done with the user's rights. */
#ifndef ROLLCALL_TASK_H
#define ROLLCALL_TASK_H

#include <stdbool.h>
#include <sys/types.h>

#include "kinds.h"
#include "problem.h"

/* More user namespaces below each other are refused. */
#define TASK_LEVELS 8

struct task {
    pid_t pid;
    int users[TASK_LEVELS]; /* its user namespace first, then those above it, without this process's */
    int levels;
    int fds[KINDS];    /* by kind; -1 for one that is not joined, and for that of the users */
    int owners[KINDS]; /* which of the users owns it */
    int root;          /* the task's root directory */
};

/* Opens the namespaces and the root directory of a process, by its directory in /proc; false with the problem if this
 * process's user cannot enter them. */
bool task_open(struct task *task, pid_t pid, int directory, struct problem *problem);

/* Joins all that task_open opened: each user namespace from the outermost, and after it those that it owns, as the
 * right to them comes with it. After a problem the process may be in some. */
bool task_join(const struct task *task, struct problem *problem);

#endif
