#include "deadline.h"

#include <time.h>

#define NANOSECONDS_PER_MILLISECOND 1000000

static int64_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time); /* cannot fail: the clock is there on every Linux */
    return (int64_t)time.tv_sec * 1000 * NANOSECONDS_PER_MILLISECOND + time.tv_nsec;
}

struct deadline deadline_in(int milliseconds)
{
    return (struct deadline){.at = now() + (int64_t)milliseconds * NANOSECONDS_PER_MILLISECOND};
}

int deadline_left(struct deadline deadline)
{
    int64_t left = deadline.at - now();

    return left <= 0 ? 0 : (int)((left + NANOSECONDS_PER_MILLISECOND - 1) / NANOSECONDS_PER_MILLISECOND);
}
