/* Why something could not be done, in one line, for the log and for the agent. */
#ifndef ROLLCALL_PROBLEM_H
#define ROLLCALL_PROBLEM_H

#include <stdbool.h>

struct problem {
    char text[256]; /* "" while there is none */
};

/* Replaces what stood there. Too long a text is cut. "%m" gives errno's words, as in syslog(3). Returns false. */
bool problem_set(struct problem *problem, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
