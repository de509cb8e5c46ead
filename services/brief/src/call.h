/* Calls a method of the agent on a local socket, by the same protocol as the command in Java: so the same rules, limits
 * and audit apply. */
#ifndef ROLLCALL_CALL_H
#define ROLLCALL_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "failure.h"
#include "protobuf.h"

struct method {
    const char *name;            /* as "rollcall.v1.JobService/End" */
    const struct nested *answer; /* the messages in its answer */
};

/* Calls a method, and waits for its answer at most that long, with everything. The answer's bytes stay until the next
 * call. */
bool call_agent(const char *socket, const struct method *method, const struct writing *request, uint32_t timeout_ms,
                struct bytes *answer, struct failure *failure);

#endif
