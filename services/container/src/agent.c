#include "agent.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* Stopped and continued, poll(2) ends with EINTR though nothing is handled (signal(7)). */
enum awaited agent_await(int line, int input, struct deadline deadline)
{
    struct pollfd both[] = {{.fd = line, .events = POLLIN}, {.fd = input, .events = POLLIN}};
    int ready;

    do
        ready = poll(both, 2, deadline_left(deadline));
    while (ready < 0 && errno == EINTR);
    if (ready <= 0)
        return AWAITED_NOTHING;
    return both[0].revents != 0 ? AWAITED_RESIDENT : AWAITED_AGENT;
}

/* The bytes that came and make no line yet are kept in the text: at most as many as "go\n" has. */
static bool read_more(char *text, size_t size, struct problem *problem)
{
    size_t used = strlen(text);
    ssize_t got = read(STDIN_FILENO, text + used, size - 1 - used);

    if (got > 0) {
        text[used + (size_t)got] = '\0';
        return true;
    }
    if (got < 0)
        problem_set(problem, "cannot read from stdin: %m");
    else
        problem_set(problem, "stdin ended before go");
    return false;
}

bool agent_await_go(int line, struct deadline deadline, int timeout_ms, struct problem *problem)
{
    char text[4] = "";

    while (strcmp(text, "go\n") != 0) {
        switch (agent_await(line, STDIN_FILENO, deadline)) {
        case AWAITED_NOTHING:
            return problem_set(problem, "no go on stdin within %d ms", timeout_ms);
        case AWAITED_RESIDENT:
            return problem_set(problem, "the process in the new namespaces ended before go");
        case AWAITED_AGENT:
            break;
        }
        if (!read_more(text, sizeof text, problem))
            return false;
        if (strncmp(text, "go\n", strlen(text)) != 0)
            return problem_set(problem, "stdin has other text than go");
    }
    return true;
}

bool agent_tell(const char *line, struct problem *problem)
{
    if (write(STDOUT_FILENO, line, strlen(line)) == (ssize_t)strlen(line))
        return true;
    return problem_set(problem, "cannot write to stdout: %m");
}
