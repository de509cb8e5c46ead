/* A command that cannot take this process's place, as its pid namespace is for children only. */
#ifndef ROLLCALL_RELAY_H
#define ROLLCALL_RELAY_H

#include "problem.h"

/* Of env(1) and its like. */
#define EXIT_NOT_ENTERED 125
#define EXIT_NOT_RUN 126
#define EXIT_NOT_FOUND 127

struct command {
    const char *program; /* a path, or a name that is looked for in PATH */
    char **words;        /* its argv, the first of which may be another name */
};

/* This process becomes the command. Returns the status to exit with, and the problem, if it cannot. */
int relay_become(const struct command *command, struct problem *problem);

/* A child becomes the command: signals go to it, it dies with this process, and its end is this process's end, by the
 * same signal if it was one. Returns the status to exit with. */
int relay_run(const struct command *command, struct problem *problem);

/* Ends this process by the signal of a child's status (waitpid(2)), or returns its exit status. */
int relay_end_as(int status);

#endif
