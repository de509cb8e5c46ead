/* CLOCK_BOOTTIME in nanoseconds: the clock of the login files, and of a process's start. */
#ifndef ROLLCALL_BOOTTIME_H
#define ROLLCALL_BOOTTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "problem.h"

#define BOOTTIME_SELF "/proc/self/stat"

uint64_t boottime_now(void);

/* When a process started, of a file in the form of /proc/PID/stat (proc(5), field 22). The kernel counts it in ticks,
 * mostly of 10 ms, since Linux 5.5 of this clock, before of CLOCK_MONOTONIC. False, and problem says why. */
bool boottime_of_start(const char *file, uint64_t *nanoseconds, struct problem *problem);

#endif
