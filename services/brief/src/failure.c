#include "failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

static const char *const names[] = {
    "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED"};

/* Each with the socket, a colon and the text. */
static const struct {
    enum grpc code;
    enum status status;
    const char *format;
} meanings[] = {
    {GRPC_PERMISSION_DENIED, STATUS_DENIED, "denied by the agent at %s%s%s"},
    {GRPC_UNAUTHENTICATED, STATUS_DENIED, "denied by the agent at %s%s%s"},
    {GRPC_NOT_FOUND, STATUS_NOT_FOUND, "not found by the agent at %s%s%s"},
    {GRPC_DEADLINE_EXCEEDED, STATUS_UNAVAILABLE, "the agent at %s did not answer in time%s%s"},
    {GRPC_CANCELLED, STATUS_UNAVAILABLE, "the agent at %s did not answer in time%s%s"},
    {GRPC_UNAVAILABLE, STATUS_UNAVAILABLE, "the agent at %s is not reachable%s%s"},
    {GRPC_INVALID_ARGUMENT, STATUS_USAGE, "refused by the agent at %s%s%s"},
    {GRPC_FAILED_PRECONDITION, STATUS_FAILED, "refused by the agent at %s%s%s"},
    {GRPC_UNIMPLEMENTED, STATUS_FAILED, "the agent at %s does not serve this, ask a gateway (--gateway HOST:PORT)%s%s"},
};

bool failure_set(struct failure *failure, enum status status, const char *format, ...)
{
    va_list words;

    va_start(words, format);
    vsnprintf(failure->line, sizeof failure->line, format, words);
    va_end(words);
    failure->status = status;
    return false;
}

void failure_of_call(struct failure *failure, int grpc_status, const char *socket, const char *text)
{
    const char *colon = text[0] == '\0' ? "" : ": ";
    bool known = grpc_status > 0 && grpc_status < (int)(sizeof names / sizeof names[0]);

    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
        if ((int)meanings[i].code == grpc_status) {
            failure_set(failure, meanings[i].status, meanings[i].format, socket, colon, text);
            return;
        }
    }
    failure_set(failure, STATUS_FAILED, "the agent at %s failed (%s)%s%s", socket,
                known ? names[grpc_status] : "UNKNOWN", colon, text);
}

/* A run of control characters is one blank, as cli.CommandTree writes it. */
static void flatten(const char *from, char *to)
{
    bool blank = false;

    for (; *from != '\0'; from++) {
        bool control = (unsigned char)*from < ' ' || *from == 0x7f;

        if (!control)
            *to++ = *from;
        else if (!blank)
            *to++ = ' ';
        blank = control;
    }
    *to = '\0';
}

int failure_print(const struct failure *failure)
{
    static char flat[sizeof failure->line];

    flatten(failure->line, flat);
    fputs("rollcall: ", stderr);
    text_print(stderr, flat, strlen(flat));
    fputc('\n', stderr);
    return (int)failure->status;
}
