/* Why the command ends: an exit status and one line for people. As cli.CommandFailure and cli.StatusFailure have it. */
#ifndef ROLLCALL_FAILURE_H
#define ROLLCALL_FAILURE_H

#include <stdbool.h>

/* As cli.ExitCode names them. */
enum status {
    STATUS_OK = 0,
    STATUS_FAILED = 1,
    STATUS_USAGE = 2,
    STATUS_DENIED = 3,
    STATUS_NOT_FOUND = 4,
    STATUS_UNAVAILABLE = 5
};

/* https://grpc.github.io/grpc/core/md_doc_statuscodes.html */
enum grpc {
    GRPC_CANCELLED = 1,
    GRPC_INVALID_ARGUMENT = 3,
    GRPC_DEADLINE_EXCEEDED = 4,
    GRPC_NOT_FOUND = 5,
    GRPC_PERMISSION_DENIED = 7,
    GRPC_FAILED_PRECONDITION = 9,
    GRPC_UNIMPLEMENTED = 12,
    GRPC_INTERNAL = 13,
    GRPC_UNAVAILABLE = 14,
    GRPC_UNAUTHENTICATED = 16
};

struct failure {
    enum status status;
    char line[16384];
};

/* Replaces the failure. A line that is too long is cut. Returns false. */
bool failure_set(struct failure *failure, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets what a status of gRPC means here. The text is the agent's, or "". */
void failure_of_call(struct failure *failure, int grpc_status, const char *socket, const char *text);

/* Writes the line to standard error; returns the status, for main to return. */
int failure_print(const struct failure *failure);

#endif
