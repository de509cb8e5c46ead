/* The loopback interface of a new network namespace, which the kernel leaves down. */
#ifndef ROLLCALL_LOOPBACK_H
#define ROLLCALL_LOOPBACK_H

#include <stdbool.h>

#include "problem.h"

bool loopback_up(struct problem *problem);

#endif
