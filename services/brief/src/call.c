#include "call.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "deadline.h"

#define BACKLOG_PAUSE_MS 5
#define REQUEST_MAX (PROTOBUF_MAX + 1024)
#define STREAM 1
#define TYPE_DATA 0
#define TYPE_HEADERS 1
#define TYPE_SETTINGS 4
#define TYPE_WINDOW_UPDATE 8
#define END_STREAM 0x1
#define END_HEADERS 0x4

/* A conversation under way. */
struct talk {
    int fd;
    const char *socket;
    struct deadline deadline;
    struct failure *failure;
    const struct answer *answer;
};

/* What is said, all of it before anything is heard. */
struct said {
    uint8_t bytes[REQUEST_MAX];
    size_t length;
};

static void say(struct said *said, const void *bytes, size_t length)
{
    if (length > sizeof said->bytes - said->length)
        abort();
    memcpy(said->bytes + said->length, bytes, length);
    said->length += length;
}

static void say_byte(struct said *said, unsigned byte)
{
    uint8_t one = (uint8_t)byte;

    say(said, &one, 1);
}

static void say_long(struct said *said, uint32_t number)
{
    say_byte(said, number >> 24);
    say_byte(said, number >> 16);
    say_byte(said, number >> 8);
    say_byte(said, number);
}

static void say_frame(struct said *said, size_t length, unsigned type, unsigned flags, uint32_t stream)
{
    say_byte(said, (unsigned)(length >> 16));
    say_byte(said, (unsigned)(length >> 8));
    say_byte(said, (unsigned)length);
    say_byte(said, type);
    say_byte(said, flags);
    say_long(said, stream);
}

/* A literal without Huffman's code, of less than 127 bytes: RFC 7541 section 5.2. */
static void say_text(struct said *said, const char *text)
{
    size_t length = strlen(text);

    if (length >= 127)
        abort();
    say_byte(said, (unsigned)length);
    say(said, text, length);
}

static void say_header(struct said *said, const char *name, const char *value)
{
    say_byte(said, 0); /* never kept */
    say_text(said, name);
    say_text(said, value);
}

static void say_hello(struct said *said)
{
    static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    say(said, preface, sizeof preface - 1);
    say_frame(said, 18, TYPE_SETTINGS, 0, 0);
    say_byte(said, 0);
    say_byte(said, 1); /* HEADER_TABLE_SIZE */
    say_long(said, 0);
    say_byte(said, 0);
    say_byte(said, 2); /* ENABLE_PUSH */
    say_long(said, 0);
    say_byte(said, 0);
    say_byte(said, 4); /* INITIAL_WINDOW_SIZE: an answer comes without more being allowed */
    say_long(said, 2 * ANSWER_MAX);
    say_frame(said, 4, TYPE_WINDOW_UPDATE, 0, 0);
    say_long(said, 2 * ANSWER_MAX);
}

static void say_request(struct said *said, const char *method, const struct writing *request, uint64_t patience_ms)
{
    struct said block = {.length = 0};
    char path[120];
    char timeout[32];

    snprintf(path, sizeof path, "/%s", method);
    /* At most eight digits: gRPC over HTTP/2, "Timeout". */
    if (patience_ms < 100000000)
        snprintf(timeout, sizeof timeout, "%llum", (unsigned long long)patience_ms);
    else
        snprintf(timeout, sizeof timeout, "%lluS", (unsigned long long)patience_ms / 1000);
    say_byte(&block, 0x83); /* :method POST */
    say_byte(&block, 0x86); /* :scheme http */
    say_header(&block, ":path", path);
    say_header(&block, ":authority", "localhost");
    say_header(&block, "content-type", "application/grpc");
    say_header(&block, "te", "trailers");
    say_header(&block, "grpc-timeout", timeout);
    say_frame(said, block.length, TYPE_HEADERS, END_HEADERS, STREAM);
    say(said, block.bytes, block.length);
    say_frame(said, GRPC_PREFIX + request->length, TYPE_DATA, END_STREAM, STREAM);
    say_byte(said, 0);
    say_long(said, (uint32_t)request->length);
    say(said, request->bytes, request->length);
}

static bool late(const struct talk *talk)
{
    if (deadline_left(talk->deadline) > 0)
        return false;
    failure_of_call(talk->failure, 4, talk->socket, "");
    return true;
}

static bool lost(const struct talk *talk, const char *why)
{
    char said[512];

    if (talk->answer->greeted)
        snprintf(said, sizeof said, "the connection to %.200s was lost: %s", talk->socket, why);
    else
        snprintf(said, sizeof said, "cannot reach %.200s: %s", talk->socket, why);
    failure_of_call(talk->failure, 14, talk->socket, said);
    return false;
}

/* A peer that closes before it has read everything resets. */
static bool broken(const struct talk *talk)
{
    bool closed = errno == ECONNRESET || errno == EPIPE;

    return lost(talk, closed ? "Connection was closed" : strerror(errno));
}

static bool wait_for(const struct talk *talk, short event)
{
    struct pollfd waiting = {.fd = talk->fd, .events = event};

    while (!late(talk)) {
        if (poll(&waiting, 1, deadline_left(talk->deadline)) > 0)
            return true;
    }
    return false;
}

static bool send_all(const struct talk *talk, const uint8_t *bytes, size_t length)
{
    while (length > 0) {
        ssize_t sent = send(talk->fd, bytes, length, MSG_NOSIGNAL);

        if (sent >= 0) {
            bytes += sent;
            length -= (size_t)sent;
        } else if (errno == EAGAIN) {
            if (!wait_for(talk, POLLOUT))
                return false;
        } else if (errno != EINTR) {
            return broken(talk);
        }
    }
    return true;
}

static bool receive_all(const struct talk *talk, uint8_t *bytes, size_t length)
{
    while (length > 0) {
        ssize_t received;

        /* Not only where there is nothing to read: byte by byte, an answer could go on for longer. */
        if (late(talk))
            return false;
        received = recv(talk->fd, bytes, length, 0);
        if (received > 0) {
            bytes += received;
            length -= (size_t)received;
        } else if (received == 0) {
            return lost(talk, "Connection was closed");
        } else if (errno == EAGAIN) {
            if (!wait_for(talk, POLLIN))
                return false;
        } else if (errno != EINTR) {
            return broken(talk);
        }
    }
    return true;
}

static bool hear(const struct talk *talk, struct answer *answer)
{
    uint8_t header[FRAME_HEADER];
    uint8_t payload[FRAME_MAX];
    uint8_t reply[REPLY_MAX];
    size_t reply_length;

    while (!answer->over) {
        if (!receive_all(talk, header, sizeof header))
            return false;
        if (frame_length(header) > sizeof payload)
            return lost(talk, "the frame is too long");
        if (!receive_all(talk, payload, frame_length(header)))
            return false;
        if (!answer_take(answer, header, payload, reply, &reply_length))
            return lost(talk, "the answer is not HTTP/2");
        if (answer->going && !answer->over)
            return lost(talk, "Connection was closed");
        if (!answer->over && !send_all(talk, reply, reply_length))
            return false;
    }
    return true;
}

static int hex(char digit)
{
    return isdigit((unsigned char)digit) ? digit - '0' : (digit | 0x20) - 'a' + 10;
}

/* grpc-message is percent-encoded; in place. */
static void decode(char *text)
{
    char *to = text;

    for (const char *from = text; *from != '\0'; from++) {
        if (*from == '%' && isxdigit((unsigned char)from[1]) && isxdigit((unsigned char)from[2])) {
            *to++ = (char)(hex(from[1]) << 4 | hex(from[2]));
            from += 2;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
}

/* As Vert.x has the errors of RFC 9113 section 7 mean statuses, and names them. */
static bool reset(const struct talk *talk, uint32_t code)
{
    static const struct {
        const char *name;
        int status;
    } errors[] = {{"NO_ERROR", 13},           {"PROTOCOL_ERROR", 13},   {"INTERNAL_ERROR", 13},
                  {"FLOW_CONTROL_ERROR", 13}, {"SETTINGS_TIMEOUT", 13}, {"STREAM_CLOSED", 13},
                  {"FRAME_SIZE_ERROR", 13},   {"REFUSED_STREAM", 14},   {"CANCELLED", 1},
                  {"COMPRESSION_ERROR", 13},  {"CONNECT_ERROR", 13},    {"ENHANCE_YOUR_CALM", 8},
                  {"INADEQUATE_SECURITY", 7}};
    bool known = code < sizeof errors / sizeof errors[0];
    char said[512];

    snprintf(said, sizeof said, "%.200s reset the stream: %s", talk->socket, known ? errors[code].name : "UNKNOWN");
    failure_of_call(talk->failure, known ? errors[code].status : 2, talk->socket, said);
    return false;
}

static bool judge(const struct talk *talk, struct answer *answer, struct bytes *message)
{
    if (answer->reset && answer->headers.grpc_status < 0)
        return reset(talk, answer->reset_code);
    if (answer->headers.grpc_status > 0) {
        decode(answer->headers.message);
        failure_of_call(talk->failure, answer->headers.grpc_status, talk->socket, answer->headers.message);
        return false;
    }
    if (answer->too_large) {
        failure_of_call(talk->failure, 8, talk->socket, "its answer is over the limit of 1048576 bytes");
        return false;
    }
    if (answer->headers.grpc_status < 0) {
        char said[64];

        snprintf(said, sizeof said, "HTTP status %d without one of gRPC", answer->headers.http_status);
        failure_of_call(talk->failure, 2, talk->socket, said);
        return false;
    }
    if (!answer_message(answer, &message->at, &message->length) || !protobuf_is_sound(*message)) {
        failure_of_call(talk->failure, 13, talk->socket, "its answer cannot be read");
        return false;
    }
    return true;
}

static bool unreached(const struct talk *talk)
{
    char said[512];

    if (errno == ENOENT || errno == ENOTDIR) {
        failure_set(talk->failure, STATUS_UNAVAILABLE, "no agent is running here: there is no socket %s", talk->socket);
        return false;
    }
    snprintf(said, sizeof said, "cannot reach %.200s: %s", talk->socket, strerror(errno));
    failure_of_call(talk->failure, 14, talk->socket, said);
    return false;
}

static bool reach(const struct talk *talk)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};

    if (strlen(talk->socket) >= sizeof name.sun_path) {
        errno = ENAMETOOLONG;
        return unreached(talk);
    }
    strcpy(name.sun_path, talk->socket);
    while (connect(talk->fd, (const struct sockaddr *)&name, sizeof name) < 0) {
        if (errno != EAGAIN && errno != EINTR)
            return unreached(talk);
        /* The backlog is full, and no event tells when there is room again. */
        if (errno == EAGAIN)
            poll(NULL, 0, BACKLOG_PAUSE_MS);
        if (late(talk))
            return false;
    }
    return true;
}

bool call_agent(const char *socket_path, const char *method, const struct writing *request, uint64_t patience_ms,
                struct answer *answer, struct bytes *message, struct failure *failure)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct talk talk = {fd, socket_path, deadline_in((int)patience_ms), failure, answer};
    struct said said = {.length = 0};
    bool answered;

    if (fd < 0) {
        failure_set(failure, STATUS_FAILED, "cannot make a socket: %s", strerror(errno));
        return false;
    }
    if (request->overflow) {
        close(fd);
        failure_set(failure, STATUS_FAILED, "the request is too long");
        return false;
    }
    free(answer->data);
    *answer = (struct answer){.headers = {.grpc_status = -1}};
    say_hello(&said);
    say_request(&said, method, request, patience_ms);
    answered = reach(&talk) && send_all(&talk, said.bytes, said.length) && hear(&talk, answer)
               && judge(&talk, answer, message);
    close(fd);
    return answered;
}
