/* The agent, at the other ends of stdin and stdout. */
#ifndef ROLLCALL_AGENT_H
#define ROLLCALL_AGENT_H

#include <stdbool.h>

#include "deadline.h"
#include "problem.h"

enum awaited {
    AWAITED_RESIDENT, /* the line has a report, or its other end is gone */
    AWAITED_AGENT,    /* stdin has something, or its end */
    AWAITED_NOTHING,  /* the deadline passed */
};

/* Waits for either; the input may be -1. */
enum awaited agent_await(int line, int input, struct deadline deadline);

/* The line "go", by itself. False with the problem: another one, the end of stdin, the deadline, or the resident
 * process is gone. */
bool agent_await_go(int line, struct deadline deadline, int timeout_ms, struct problem *problem);

bool agent_tell(const char *line, struct problem *problem);

#endif
