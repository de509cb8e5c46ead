/* The command line of rollcall-step. */
#ifndef ROLLCALL_STEP_OPTIONS_H
#define ROLLCALL_STEP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "problem.h"

/* More hierarchies than a node with cgroup v1 has. */
#define STEP_PROCS_MAX 16

struct step_options {
    const char *procs[STEP_PROCS_MAX]; /* cgroup.procs files to enter */
    size_t procs_count;
    char **words; /* of argv: the names after each --keep are read there */
    int count;    /* of words before the command */
    uid_t owner;  /* of the terminal that the command gets */
    char **command;
};

/* Words are all of argv. Nothing is copied. */
bool step_options_parse(struct step_options *options, int count, char **words, struct problem *problem);

/* Whether a variable, as "NAME=value", is left to the command: PATH, LANG, TERM, LC_*, and those that --keep names. */
bool step_options_keeps(const struct step_options *options, const char *variable);

#endif
