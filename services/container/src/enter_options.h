/* What rollcall-enter is told on its command line. */
#ifndef ROLLCALL_ENTER_OPTIONS_H
#define ROLLCALL_ENTER_OPTIONS_H

#include <stdbool.h>
#include <sys/types.h>

#include "kinds.h"
#include "problem.h"

struct enter_options {
    const char *where[KINDS]; /* by kind: a path or a descriptor's number; NULL for one that is not to be joined */
    const char *pins;         /* instead: a directory with one file for each */
    const char *task;         /* instead: "any", or a process's number: the container of the job's task; else NULL */
    /* With its arguments, and NULL at the end; NULL for a session and for a shell in a task's container: the command
     * is in the environment. */
    char **command;
    bool session; /* and then nothing else is given but the task, which is "any" */
};

/* Words are all of argv. Nothing is copied. */
bool enter_options_parse(struct enter_options *options, int count, char **words, struct problem *problem);

/* "any", for which the number is 0, or the number of a process. False for another text. */
bool enter_options_process(const char *text, pid_t *pid);

#endif
