/* What rollcall-enter is told on its command line. */
#ifndef ROLLCALL_ENTER_OPTIONS_H
#define ROLLCALL_ENTER_OPTIONS_H

#include <stdbool.h>

#include "kinds.h"
#include "problem.h"

struct enter_options {
    const char *where[KINDS]; /* by kind: a path or a descriptor's number; NULL for one that is not to be joined */
    const char *pins;         /* instead: a directory with one file for each */
    /* With its arguments, and NULL at the end; NULL for a session, whose command is in the environment. */
    char **command;
    bool session; /* and then nothing else is said */
};

/* Words are all of argv. Nothing is copied. */
bool enter_options_parse(struct enter_options *options, int count, char **words, struct problem *problem);

#endif
