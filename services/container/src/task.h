/* The container that a task of the job runs in, which enroot, podman or apptainer made: its namespaces, found among
 * the user's own processes in /proc. All of it is done with the user's rights. */
#ifndef ROLLCALL_TASK_H
#define ROLLCALL_TASK_H

#include <stdbool.h>
#include <sys/types.h>

#include "kinds.h"
#include "problem.h"

#define TASK_ROOTED ((pid_t)-1)

enum task_search { TASK_FOUND, TASK_NONE, TASK_REFUSED };

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

/* Looks for the container of a process of the job's tasks. TASK_NONE: this process is in no job, or no task of the job
 * has a container. TASK_REFUSED: it cannot be entered, or there are several. With both the problem says why.
 *
 * wanted: that process; 0: any; TASK_ROOTED: any whose root directory is another. pins: the directory of the job's own
 * namespaces, which count as no container; NULL: this process is in them. */
enum task_search task_find(struct task *task, pid_t wanted, const char *pins, struct problem *problem);

/* Joins all that task_find opened: each user namespace from the outermost, and after it those that it owns, as the
 * right to them comes with it. After a problem the process may be in some. */
bool task_join(const struct task *task, struct problem *problem);

#endif
