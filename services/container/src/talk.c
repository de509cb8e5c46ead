#include "talk.h"

#include <errno.h>
#include <sys/socket.h>

bool talk_begin(int ends[2], struct problem *problem)
{
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0)
        return true;
    return problem_set(problem, "cannot make a pair of sockets: %m");
}

bool talk_say(int end, enum word word)
{
    char letter = (char)word;

    return send(end, &letter, sizeof letter, MSG_NOSIGNAL) == (ssize_t)sizeof letter;
}

enum word talk_hear(int end)
{
    char letter = WORD_NONE;
    ssize_t got;

    do
        got = recv(end, &letter, sizeof letter, 0);
    while (got < 0 && errno == EINTR);
    if (got != (ssize_t)sizeof letter)
        return WORD_NONE;
    return letter == WORD_GO || letter == WORD_STAY ? (enum word)letter : WORD_NONE;
}

void talk_report(int end, const struct problem *problem)
{
    send(end, problem->text, sizeof problem->text, MSG_NOSIGNAL);
}

bool talk_read_report(int end, struct problem *problem)
{
    ssize_t got = recv(end, problem->text, sizeof problem->text, MSG_DONTWAIT);

    problem->text[sizeof problem->text - 1] = '\0';
    return got == (ssize_t)sizeof problem->text;
}
