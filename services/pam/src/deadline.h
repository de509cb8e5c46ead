/* A point on CLOCK_MONOTONIC. One deadline bounds everything that the module waits for: a clock that is set, or many
 * small answers, cannot stretch it. */
#ifndef ROLLCALL_DEADLINE_H
#define ROLLCALL_DEADLINE_H

#include <stdint.h>

struct deadline {
    int64_t at; /* nanoseconds of CLOCK_MONOTONIC */
};

struct deadline deadline_in(int milliseconds);

/* Milliseconds left, rounded up so that poll(2) never spins; 0 once it has passed. */
int deadline_left(struct deadline deadline);

#endif
