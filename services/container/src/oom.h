/* Who is killed last when the node is out of memory. */
#ifndef ROLLCALL_OOM_H
#define ROLLCALL_OOM_H

#include <stdbool.h>
#include <sys/types.h>

#include "problem.h"

/* The job's processes go before the one that holds their namespaces. By the node's /proc; needs CAP_SYS_RESOURCE
 * (proc(5)). */
bool oom_spare(int proc, pid_t pid, struct problem *problem);

#endif
