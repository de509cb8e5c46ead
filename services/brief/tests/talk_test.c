/* A call on a real socket, to agents that say too little, too much or nothing. */
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

#include "tap.h"

static struct sockaddr_un name = {.sun_family = AF_UNIX};

/* An agent for one call, in a process of its own: it says these bytes over and over, for the given times, and then
 * waits to be ended, or hangs up. */
static pid_t serve(const char *bytes, size_t length, int times, bool stays)
{
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    pid_t child;

    unlink(name.sun_path);
    if (listener < 0 || bind(listener, (struct sockaddr *)&name, sizeof name) < 0 || listen(listener, 1) < 0)
        exit(1);
    child = fork();
    if (child == 0) {
        int connection = accept(listener, NULL, NULL);
        char heard[4096];

        signal(SIGPIPE, SIG_DFL);
        if (read(connection, heard, sizeof heard) <= 0)
            _exit(1);
        for (int i = 0; i < times; i++) {
            if (write(connection, bytes, length) < 0)
                _exit(1);
        }
        while (stays)
            pause();
        _exit(0);
    }
    close(listener);
    return child;
}

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void fails(const char *what, const char *bytes, size_t length, int times, bool stays, enum status status,
                  const char *words)
{
    static struct answer answer;
    static struct failure failure;
    static struct writing request;
    struct bytes message;
    pid_t agent = serve(bytes, length, times, stays);
    double began = now();
    bool answered =
        call_agent(name.sun_path, "rollcall.v1.JobService/End", &request, 1500, &answer, &message, &failure);

    tap(!answered && failure.status == status, "%s: status %d", what, (int)status);
    if (!tap(strstr(failure.line, words) != NULL, "%s: '%s' is said", what, words))
        tap_say("%s", failure.line);
    tap(now() - began < 20, "%s: it ends", what);
    kill(agent, SIGKILL);
    waitpid(agent, NULL, 0);
}

#define SETTINGS "\0\0\0\4\0\0\0\0\0"
#define BYTES(bytes) bytes, sizeof bytes - 1

int main(void)
{
    char folder[] = "/tmp/brief-talk-XXXXXX";

    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(name.sun_path, sizeof name.sun_path, "%.90s/agent.sock", folder);
    fails("silence", "", 0, 0, true, STATUS_UNAVAILABLE, "did not answer in time");
    fails("a frame that does not end", BYTES("\0\0\5\0"), 1, true, STATUS_UNAVAILABLE, "did not answer in time");
    fails("settings for ever", BYTES(SETTINGS), 1 << 30, true, STATUS_UNAVAILABLE, "");
    fails("hanging up at once", "", 0, 0, false, STATUS_UNAVAILABLE, "cannot reach");
    fails("hanging up later", BYTES(SETTINGS), 1, false, STATUS_UNAVAILABLE, "was lost: Connection was closed");
    fails("HTTP/1.1", BYTES("HTTP/1.1 400 Bad Request\r\n\r\n"), 1, true, STATUS_UNAVAILABLE, "the frame is too long");
    fails("noise", BYTES("\0\0\1\7\0\0\0\0\0x"), 1, true, STATUS_UNAVAILABLE, "not HTTP/2");
    fails("a page", BYTES(SETTINGS "\0\0\5\1\5\0\0\0\1\x48\003403"), 1, true, STATUS_FAILED, "HTTP status 403");
    fails("an end without a message", BYTES(SETTINGS "\0\0\x0f\1\5\0\0\0\1\0\x0bgrpc-status\0010"), 1, true,
          STATUS_FAILED, "its answer cannot be read");
    unlink(name.sun_path);
    rmdir(folder);
    return tap_done();
}
