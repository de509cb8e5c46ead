#include "dial.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "deadline.h"

/* The message for a name that is not resolved in time. */
static char unresolved[1024];
static size_t unresolved_length;

static void resolved_too_late(int signal)
{
    (void)signal;
    if (write(STDERR_FILENO, unresolved, unresolved_length) < 0)
        _exit(STATUS_UNAVAILABLE);
    _exit(STATUS_UNAVAILABLE);
}

/* getaddrinfo(3) has no time limit: a directory that hangs ends this program by a signal. */
static struct addrinfo *resolve(const char *host, uint64_t within_ms)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    struct sigaction action = {.sa_handler = resolved_too_late};
    struct itimerval timer = {.it_value = {(time_t)(within_ms / 1000), (suseconds_t)(within_ms % 1000 * 1000)}};

    unresolved_length = (size_t)snprintf(unresolved, sizeof unresolved,
                                         "rollcall: the address of '%.255s' was not found within %llu s\n", host,
                                         (unsigned long long)within_ms / 1000);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
    if (getaddrinfo(host, NULL, &hints, &found) != 0)
        found = NULL;
    timer.it_value = (struct timeval){0, 0};
    setitimer(ITIMER_REAL, &timer, NULL);
    return found;
}

static void set_port(struct sockaddr *address, uint16_t port)
{
    if (address->sa_family == AF_INET6)
        ((struct sockaddr_in6 *)address)->sin6_port = htons(port);
    else
        ((struct sockaddr_in *)address)->sin_port = htons(port);
}

/* Waits for a connection that is being made. 0, or the error. */
static int made(int fd, struct deadline deadline)
{
    struct pollfd waiting = {.fd = fd, .events = POLLOUT};
    int error = 0;
    socklen_t length = sizeof error;
    int left;

    while ((left = deadline_left(deadline)) > 0) {
        if (poll(&waiting, 1, left) > 0)
            return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) < 0 ? errno : error;
    }
    return EINPROGRESS;
}

/* The connection, -1 if there is none: *error says why, EINPROGRESS that the time was over. */
static int open_one(const struct addrinfo *address, struct deadline deadline, int *error)
{
    int on = 1;
    int fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0) {
        *error = errno;
        return -1;
    }
    /* As ssh does itself. */
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    *error = connect(fd, address->ai_addr, address->ai_addrlen) == 0 ? 0 : errno;
    if (*error == EINPROGRESS)
        *error = made(fd, deadline);
    if (*error == 0)
        return fd;
    close(fd);
    return -1;
}

static void name_of(const char *host, uint16_t port, char *name, size_t size)
{
    snprintf(name, size, strchr(host, ':') == NULL ? "%.255s:%u" : "[%.255s]:%u", host, port);
}

static int dial_family(const struct addrinfo *addresses, int family, uint16_t port, struct deadline deadline,
                       int *error)
{
    for (const struct addrinfo *each = addresses; each != NULL; each = each->ai_next) {
        int fd;

        if (each->ai_family != family)
            continue;
        set_port(each->ai_addr, port);
        fd = open_one(each, deadline, error);
        if (fd >= 0 || *error == EINPROGRESS)
            return fd;
    }
    return -1;
}

int dial(const char *host, uint16_t port, uint64_t within_ms, struct failure *failure)
{
    struct deadline deadline = deadline_in((int)within_ms);
    struct addrinfo *addresses = resolve(host, within_ms);
    int error = EADDRNOTAVAIL;
    char name[300];
    int fd;

    if (addresses == NULL) {
        failure_set(failure, STATUS_NOT_FOUND, "no host is named '%.255s'", host);
        return -1;
    }
    /* IPv4 first, as Java has it. */
    fd = dial_family(addresses, AF_INET, port, deadline, &error);
    if (fd < 0 && error != EINPROGRESS)
        fd = dial_family(addresses, AF_INET6, port, deadline, &error);
    freeaddrinfo(addresses);
    name_of(host, port, name, sizeof name);
    if (fd < 0 && error == EINPROGRESS)
        failure_set(failure, STATUS_UNAVAILABLE, "%s did not answer within %llu s", name,
                    (unsigned long long)within_ms / 1000);
    else if (fd < 0)
        failure_set(failure, STATUS_UNAVAILABLE, "cannot connect to %s: %s", name, strerror(error));
    return fd;
}
