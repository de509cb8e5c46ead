#include "call.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "deadline.h"
#include "frame.h"

#define BACKLOG_PAUSE_MS 5

/* A call under way. */
struct call {
    int fd;
    const char *socket;
    struct deadline deadline;
    struct failure *failure;
    bool received; /* a part of the reply, at least */
};

static bool fail(const struct call *call, int grpc_status, const char *text)
{
    failure_of_call(call->failure, grpc_status, call->socket, text);
    return false;
}

static bool late(const struct call *call)
{
    if (deadline_left(call->deadline) > 0)
        return false;
    fail(call, GRPC_DEADLINE_EXCEEDED, "");
    return true;
}

static bool lost(const struct call *call, const char *why)
{
    char text[512];

    snprintf(text, sizeof text, call->received ? "the connection to %.200s was lost: %s" : "cannot reach %.200s: %s",
             call->socket, why);
    return fail(call, GRPC_UNAVAILABLE, text);
}

/* A peer that closes before it has read everything resets the connection. */
static bool closed(int error)
{
    return error == ECONNRESET || error == EPIPE;
}

static bool wait_for(const struct call *call, short event)
{
    struct pollfd waiting = {.fd = call->fd, .events = event};

    while (!late(call)) {
        if (poll(&waiting, 1, deadline_left(call->deadline)) > 0)
            return true;
    }
    return false;
}

/* Also true if the agent has closed the connection: its reply may be there, and says why. */
static bool send_all(const struct call *call, const uint8_t *bytes, size_t length)
{
    while (length > 0) {
        ssize_t sent = send(call->fd, bytes, length, MSG_NOSIGNAL);

        if (sent >= 0) {
            bytes += sent;
            length -= (size_t)sent;
        } else if (closed(errno)) {
            return true;
        } else if (errno == EAGAIN) {
            if (!wait_for(call, POLLOUT))
                return false;
        } else if (errno != EINTR) {
            return lost(call, strerror(errno));
        }
    }
    return true;
}

static bool receive_all(struct call *call, uint8_t *bytes, size_t length)
{
    while (length > 0) {
        ssize_t received;

        /* Not only where there is nothing to read: byte by byte, a reply could go on for longer. */
        if (late(call))
            return false;
        received = recv(call->fd, bytes, length, 0);
        if (received > 0) {
            call->received = true;
            bytes += received;
            length -= (size_t)received;
        } else if (received == 0 || closed(errno)) {
            return lost(call, "Connection was closed");
        } else if (errno == EAGAIN) {
            if (!wait_for(call, POLLIN))
                return false;
        } else if (errno != EINTR) {
            return lost(call, strerror(errno));
        }
    }
    return true;
}

/* Receives a frame's content, which stays until the next one. */
static bool receive_frame(struct call *call, struct bytes *content)
{
    static uint8_t *kept;
    uint8_t header[FRAME_HEADER];
    size_t length;

    if (!receive_all(call, header, sizeof header))
        return false;
    length = frame_length(header);
    if (length == 0 || length > FRAME_REPLY_MAX) {
        char text[512];

        snprintf(text, sizeof text, "%.200s sent a frame of %zu bytes, which is not within 1 and %d", call->socket,
                 length, FRAME_REPLY_MAX);
        return fail(call, GRPC_INTERNAL, text);
    }
    free(kept);
    kept = malloc(length);
    if (kept == NULL)
        return fail(call, GRPC_INTERNAL, "no memory for its answer");
    *content = (struct bytes){kept, length};
    return receive_all(call, kept, length);
}

/* The agent's text as a C string. A NUL in it becomes another control character, which is printed alike. */
static const char *c_string(struct bytes text)
{
    static char copy[16384];
    size_t length = text.length < sizeof copy ? text.length : sizeof copy - 1;

    for (size_t i = 0; i < length; i++)
        copy[i] = text.at[i] == '\0' ? '\1' : (char)text.at[i];
    copy[length] = '\0';
    return copy;
}

static bool receive_answer(struct call *call, const struct nested *nested, struct bytes *answer)
{
    struct bytes content;
    struct reply reply;

    if (!receive_frame(call, &content))
        return false;
    if (!frame_decode(content, nested, &reply))
        return fail(call, GRPC_INTERNAL, "its answer cannot be read");
    /* The agent has the deadline too, and its reply may come first. */
    if (reply.code == GRPC_DEADLINE_EXCEEDED && late(call))
        return false;
    if (reply.code != 0)
        return fail(call, reply.code, c_string(reply.text));
    *answer = reply.message;
    return true;
}

static bool unreached(const struct call *call)
{
    if (errno == ENOENT || errno == ENOTDIR)
        return failure_set(call->failure, STATUS_UNAVAILABLE, "no agent is running here: there is no socket %s",
                           call->socket);
    return lost(call, strerror(errno));
}

static bool reach(const struct call *call)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};

    if (strlen(call->socket) >= sizeof name.sun_path) {
        errno = ENAMETOOLONG;
        return unreached(call);
    }
    strcpy(name.sun_path, call->socket);
    while (connect(call->fd, (const struct sockaddr *)&name, sizeof name) < 0) {
        if (errno != EAGAIN && errno != EINTR)
            return unreached(call);
        /* The backlog is full, and no event reports that there is room again. */
        if (errno == EAGAIN)
            poll(NULL, 0, BACKLOG_PAUSE_MS);
        if (late(call))
            return false;
    }
    return true;
}

bool call_agent(const char *socket_path, const struct method *method, const struct writing *request,
                uint32_t timeout_ms, struct bytes *answer, struct failure *failure)
{
    static uint8_t frame[FRAME_REQUEST_MAX];
    size_t length = frame_encode(method->name, request, timeout_ms, frame);
    struct call call = {-1, socket_path, deadline_in((int)timeout_ms), failure, false};
    bool answered;

    if (length == 0)
        return failure_set(failure, STATUS_FAILED, "the request is too long");
    call.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (call.fd < 0)
        return failure_set(failure, STATUS_FAILED, "cannot make a socket: %s", strerror(errno));
    answered = reach(&call) && send_all(&call, frame, length) && receive_answer(&call, method->answer, answer);
    close(call.fd);
    return answered;
}
