/* Finds the container of a task among the user's own processes in /proc. */
#ifndef ROLLCALL_TASK_SEARCH_H
#define ROLLCALL_TASK_SEARCH_H

#include "task.h"

#define TASK_ROOTED ((pid_t)-1)

enum task_search { TASK_FOUND, TASK_NONE, TASK_REFUSED };

/* Looks for the container of a process of the job's tasks. TASK_NONE: this process is in no job, or no task of the job
 * has a container. TASK_REFUSED: it cannot be entered, or there are several. With both the problem says why.
 *
 * wanted: that process; 0: any; TASK_ROOTED: any whose root directory is another. pins: the directory of the job's own
 * namespaces, which count as no container; NULL: this process is in them. */
enum task_search task_find(struct task *task, pid_t wanted, const char *pins, struct problem *problem);

#endif
