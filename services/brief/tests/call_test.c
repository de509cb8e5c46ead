/* Calls on a real socket, to agents that answer too little, too much or nothing. */
#include "call.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "frame.h"
#include "tap.h"

#define TIMEOUT_MS 1000

static const struct method end = {.name = "rollcall.v1.JobService/End"};
static struct sockaddr_un name = {.sun_family = AF_UNIX};

/* How an agent answers one call. */
struct answering {
    const char *bytes;
    size_t length;
    int times;     /* that it sends the bytes */
    int pause_ms;  /* between them */
    bool unread;   /* it reads no request */
    bool hangs_up; /* else it keeps the connection */
};

static void answer_one(int listener, const struct answering *how)
{
    const struct timespec pause_time = {.tv_nsec = how->pause_ms * 1000000L};
    int connection = accept(listener, NULL, NULL);
    char request[4096];

    signal(SIGPIPE, SIG_DFL);
    if (!how->unread && read(connection, request, sizeof request) <= 0)
        _exit(1);
    for (int i = 0; i < how->times; i++) {
        nanosleep(&pause_time, NULL);
        if (write(connection, how->bytes, how->length) < 0)
            _exit(1);
    }
    while (!how->hangs_up)
        pause();
    _exit(0);
}

/* Starts an agent for one call, in a process of its own. */
static pid_t serve(const struct answering *how)
{
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    pid_t child;

    unlink(name.sun_path);
    if (listener < 0 || bind(listener, (struct sockaddr *)&name, sizeof name) < 0 || listen(listener, 1) < 0)
        exit(1);
    child = fork();
    if (child == 0)
        answer_one(listener, how);
    close(listener);
    return child;
}

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool call(struct answering how, struct bytes *answer, struct failure *failure)
{
    static struct writing request;
    pid_t agent = serve(&how);
    bool answered = call_agent(name.sun_path, &end, &request, TIMEOUT_MS, answer, failure);

    kill(agent, SIGKILL);
    waitpid(agent, NULL, 0);
    return answered;
}

static void fails(const char *what, struct answering how, enum status status, const char *text)
{
    static struct failure failure;
    struct bytes answer;
    double started = now();

    tap(!call(how, &answer, &failure) && failure.status == status, "%s: status %d", what, (int)status);
    if (!tap(strstr(failure.line, text) != NULL, "%s: '%s'", what, text))
        tap_say("%s", failure.line);
    tap(now() - started < 20, "%s: the call ends", what);
}

static void succeeds(const char *what, struct answering how, size_t length)
{
    static struct failure failure;
    struct bytes answer;
    bool answered = call(how, &answer, &failure);

    if (!tap(answered && answer.length == length, "%s: an answer of %zu bytes", what, length))
        tap_say("%s", failure.line);
}

/* A reply with a message of one field of this many bytes, and its end. Returns the length of the message. */
static size_t large(size_t content, char **frame)
{
    size_t message = content - 2 - 4;
    size_t field = message - 4;
    char *at = malloc(FRAME_HEADER + content);

    if (at == NULL)
        exit(1);
    *frame = at;
    memset(at, 'x', FRAME_HEADER + content);
    for (int i = 0; i < 4; i++)
        at[i] = (char)(content >> (24 - 8 * i));
    at[4] = 0x0a;
    at[8] = 0x12;
    for (int i = 0; i < 3; i++) {
        at[5 + i] = (char)((message >> (7 * i) & 0x7f) | (i < 2 ? 0x80 : 0));
        at[9 + i] = (char)((field >> (7 * i) & 0x7f) | (i < 2 ? 0x80 : 0));
    }
    memcpy(at + FRAME_HEADER + content - 2, "\x12\0", 2);
    return message;
}

static void the_largest(void)
{
    char *frame;
    size_t message = large(FRAME_REPLY_MAX, &frame);
    struct answering how = {.bytes = frame, .length = FRAME_HEADER + FRAME_REPLY_MAX, .times = 1};

    succeeds("a reply of the largest size", how, message);
    frame[3]++;
    fails("one byte more", how, STATUS_FAILED, "sent a frame of 1049601 bytes, which is not within 1 and 1049600");
    free(frame);
}

#define BYTES(literal) .bytes = (literal), .length = sizeof(literal) - 1, .times = 1
#define GOOD "\0\0\0\4\x0a\0\x12\0"

static void answers(void)
{
    succeeds("one frame", (struct answering){BYTES(GOOD)}, 0);
    succeeds("one frame and a farewell", (struct answering){BYTES(GOOD), .hangs_up = true}, 0);
    succeeds("a frame before the request was read", (struct answering){BYTES(GOOD), .unread = true, .hangs_up = true},
             0);
    succeeds("two frames, of which one is read", (struct answering){BYTES(GOOD GOOD)}, 0);
    fails("a refusal", (struct answering){BYTES("\0\0\0\x0b\x12\x09\x08\7\x12\5no\0\nx")}, STATUS_DENIED,
          "denied by the agent at ");
    fails("an unknown code", (struct answering){BYTES("\0\0\0\4\x12\2\x08\x63")}, STATUS_FAILED, "failed (UNKNOWN)");
    the_largest();
}

int main(void)
{
    char folder[] = "/tmp/brief-call-XXXXXX";

    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(name.sun_path, sizeof name.sun_path, "%.90s/agent.sock", folder);
    answers();
    fails("silence", (struct answering){.times = 0}, STATUS_UNAVAILABLE, "did not answer in time");
    fails("a header that is cut", (struct answering){BYTES("\0\0\0")}, STATUS_UNAVAILABLE, "did not answer in time");
    fails("a frame that does not end", (struct answering){BYTES("\0\0\5\0x")}, STATUS_UNAVAILABLE,
          "did not answer in time");
    fails("a frame that comes a few bytes at a time",
          (struct answering){.bytes = "\0\x0f", .length = 2, .times = 1 << 30, .pause_ms = 100}, STATUS_UNAVAILABLE,
          "did not answer in time");
    fails("hanging up at once", (struct answering){.unread = true, .hangs_up = true}, STATUS_UNAVAILABLE,
          "sock: Connection was closed");
    fails("hanging up within a frame", (struct answering){BYTES("\0\0\0\4\x0a"), .hangs_up = true}, STATUS_UNAVAILABLE,
          "was lost: Connection was closed");
    fails("HTTP/1.1", (struct answering){BYTES("HTTP/1.1 400 Bad Request\r\n\r\n")}, STATUS_FAILED,
          "sent a frame of 1213486160 bytes, which is not within 1 and 1049600");
    fails("an empty frame", (struct answering){BYTES("\0\0\0\0")}, STATUS_FAILED, "sent a frame of 0 bytes");
    fails("noise", (struct answering){BYTES("\0\0\0\4\xff\xff\xff\xff")}, STATUS_FAILED, "its answer cannot be read");
    fails("a message without an end", (struct answering){BYTES("\0\0\0\2\x0a\0")}, STATUS_FAILED,
          "its answer cannot be read");
    unlink(name.sun_path);
    rmdir(folder);
    return tap_done();
}
