/* The way into a job's namespaces, for a process without rights. */
#ifndef ROLLCALL_ENTRY_H
#define ROLLCALL_ENTRY_H

#include <stdbool.h>

#include "enter_options.h"
#include "kinds.h"
#include "problem.h"
#include "task.h"

struct entry {
    int fds[KINDS];          /* by kind; -1 for one that is not to be joined */
    const struct task *task; /* instead of the options' namespaces, those of a task; else NULL */
};

/* Opens all. False with the problem; what is open then ends with the process. */
bool entry_open(struct entry *entry, const struct enter_options *options, struct problem *problem);

/* That of a task's container. */
void entry_of_task(struct entry *entry, const struct task *task);

/* Joins all, in the order of the kinds, and goes to the working directory of the same name, or to /. After a problem
 * the process may be in some. Joining a pid namespace is for the children to come. */
bool entry_go(const struct entry *entry, const struct enter_options *options, struct problem *problem);

#endif
