#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* For output that the kernel still passes on, after the end of the command. */
#define LAST_OUTPUT_MS 200
#define LAST_READS 1024

static bool open_pair(struct terminal *terminal, uid_t owner)
{
    terminal->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (terminal->master < 0 || unlockpt(terminal->master) < 0)
        return false;
    /* By the descriptor, since /dev/pts may be another one's (TIOCGPTPEER, Linux 4.13). */
    terminal->slave = ioctl(terminal->master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    return terminal->slave >= 0 && fchown(terminal->slave, owner, (gid_t)-1) == 0;
}

bool terminal_open(struct terminal *terminal, uid_t owner, struct problem *problem)
{
    struct termios settings;

    *terminal = (struct terminal){.outer = -1, .master = -1, .slave = -1};
    for (int fd = STDERR_FILENO; fd >= STDIN_FILENO; fd--) {
        if (isatty(fd))
            terminal->outer = fd;
    }
    if (terminal->outer < 0)
        return true;
    terminal->read = terminal->outer == STDIN_FILENO;
    if (!open_pair(terminal, owner))
        return problem_set(problem, "cannot make a terminal: %m");
    if (tcgetattr(terminal->outer, &terminal->usual) == 0) {
        settings = terminal->usual;
        /* The outer one does it for output that it does not get raw. */
        if (!terminal->read)
            settings.c_oflag &= ~(tcflag_t)OPOST;
        tcsetattr(terminal->slave, TCSANOW, &settings);
    }
    terminal_resize(terminal);
    return true;
}

bool terminal_join(const struct terminal *terminal, struct problem *problem)
{
    if (terminal->slave < 0)
        return true;
    if (ioctl(terminal->slave, TIOCSCTTY, 0) < 0)
        return problem_set(problem, "cannot set the controlling terminal: %m");
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (isatty(fd) && dup2(terminal->slave, fd) < 0)
            return problem_set(problem, "cannot replace descriptor %d: %m", fd);
    }
    return true;
}

bool terminal_listen(struct terminal *terminal)
{
    struct termios raw;

    if (!terminal->read || tcgetpgrp(terminal->outer) != getpgrp())
        return false;
    if (terminal->raw || tcgetattr(terminal->outer, &terminal->usual) < 0)
        return terminal->raw;
    raw = terminal->usual;
    cfmakeraw(&raw);
    terminal->raw = tcsetattr(terminal->outer, TCSADRAIN, &raw) == 0;
    return terminal->raw;
}

void terminal_restore(struct terminal *terminal)
{
    if (terminal->raw)
        tcsetattr(terminal->outer, TCSADRAIN, &terminal->usual);
    terminal->raw = false;
}

void terminal_resize(const struct terminal *terminal)
{
    struct winsize size;

    if (terminal->outer >= 0 && ioctl(terminal->outer, TIOCGWINSZ, &size) == 0)
        ioctl(terminal->master, TIOCSWINSZ, &size);
}

void terminal_take_input(struct terminal *terminal)
{
    ssize_t got = read(terminal->outer, terminal->input, sizeof terminal->input);

    if (got > 0)
        terminal->waiting = (size_t)got;
    else if (got == 0 || errno != EINTR)
        terminal->read = false; /* it was hung up */
}

void terminal_give_input(struct terminal *terminal)
{
    ssize_t put = write(terminal->master, terminal->input, terminal->waiting);

    if (put <= 0)
        return;
    terminal->waiting -= (size_t)put;
    memmove(terminal->input, terminal->input + put, terminal->waiting);
}

/* Waits as long as the terminal is stopped. What cannot be written is lost. */
static void write_all(int fd, const char *bytes, size_t count)
{
    struct pollfd one = {.fd = fd, .events = POLLOUT};

    while (count > 0) {
        ssize_t put = write(fd, bytes, count);

        if (put < 0 && (errno != EAGAIN || poll(&one, 1, -1) < 0))
            return;
        bytes += put < 0 ? 0 : put;
        count -= put < 0 ? 0 : (size_t)put;
    }
}

bool terminal_copy_output(struct terminal *terminal)
{
    char bytes[4096];
    ssize_t got = read(terminal->master, bytes, sizeof bytes);

    /* EIO: nobody has the other end open. */
    terminal->silent = got < 0 && errno == EIO;
    if (got > 0)
        write_all(terminal->outer, bytes, (size_t)got);
    return got > 0;
}

void terminal_finish(struct terminal *terminal)
{
    struct pollfd one = {.fd = terminal->master, .events = POLLIN};

    /* Not for ever: a process that is left may write on. */
    for (int i = 0; i < LAST_READS && terminal->master >= 0 && poll(&one, 1, LAST_OUTPUT_MS) == 1; i++) {
        if (!terminal_copy_output(terminal))
            break;
    }
    terminal_restore(terminal);
}
