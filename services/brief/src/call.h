/* One gRPC call to the agent, over its socket: the same that the command in Java makes, so that it meets the same
 * rules, limits and audit. */
#ifndef ROLLCALL_CALL_H
#define ROLLCALL_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "answer.h"
#include "failure.h"
#include "protobuf.h"

/* Calls a method, as "rollcall.v1.JobService/End", and waits for its answer, which stays in the given place. */
bool call_agent(const char *socket, const char *method, const struct writing *request, uint64_t patience_ms,
                struct answer *answer, struct bytes *message, struct failure *failure);

#endif
