/* clang-format off */
/*
 * Calls a port again and again, or takes such calls.
 *
 *   prober call ADDRESS PORT COUNT PAUSE_US   prints for each call: local port, and in nanoseconds of CLOCK_MONOTONIC
 *                                             when connect(2) began and how long it took
 *   prober take ADDRESS PORT...               accepts and closes, until it is killed
 *
 * Connections are closed by a reset, so that no port rests in TIME_WAIT.
 */
/* clang-format on */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PORTS = 8, WAITING = 1024 };

static int failed(const char *what)
{
    fprintf(stderr, "prober: %s: %s\n", what, strerror(errno));
    return 1;
}

static int64_t now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (int64_t)at.tv_sec * 1000000000 + at.tv_nsec;
}

static int number(const char *text, long least, long most, long *into)
{
    char *end;
    errno = 0;
    *into = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || *into < least || *into > most) {
        fprintf(stderr, "prober: '%s' is not a number from %ld to %ld\n", text, least, most);
        return -1;
    }
    return 0;
}

static int place(const char *address, const char *port, struct sockaddr_in *into)
{
    long of;
    memset(into, 0, sizeof *into);
    into->sin_family = AF_INET;
    if (inet_pton(AF_INET, address, &into->sin_addr) != 1) {
        fprintf(stderr, "prober: '%s' is not an IPv4 address\n", address);
        return -1;
    }
    if (number(port, 1, 65535, &of) != 0) {
        return -1;
    }
    into->sin_port = htons((uint16_t)of);
    return 0;
}

static int call_once(const struct sockaddr_in *to)
{
    const struct linger reset = {.l_onoff = 1, .l_linger = 0};
    struct sockaddr_in own;
    socklen_t length = sizeof own;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int64_t began;
    int64_t ended;
    if (fd < 0) {
        return failed("socket");
    }
    began = now();
    if (connect(fd, (const struct sockaddr *)to, sizeof *to) != 0) {
        close(fd);
        return failed("connect");
    }
    ended = now();
    if (getsockname(fd, (struct sockaddr *)&own, &length) == 0) {
        printf("%d %lld %lld\n", ntohs(own.sin_port), (long long)began, (long long)(ended - began));
    }
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    close(fd);
    return 0;
}

static int call(char **words)
{
    struct sockaddr_in to;
    long count;
    long pause_us;
    if (place(words[0], words[1], &to) != 0 || number(words[2], 1, 10000000, &count) != 0
        || number(words[3], 0, 10000000, &pause_us) != 0) {
        return 2;
    }
    const struct timespec pause = {pause_us / 1000000, pause_us % 1000000 * 1000};
    for (long i = 0; i < count; i++) {
        if (call_once(&to) != 0) {
            return 1;
        }
        if (pause_us > 0) {
            fflush(stdout);
            nanosleep(&pause, NULL);
        }
    }
    return 0;
}

static int take(const char *address, char **ports, int count)
{
    const int on = 1;
    struct pollfd listening[MOST_PORTS];
    for (int i = 0; i < count; i++) {
        struct sockaddr_in at;
        if (place(address, ports[i], &at) != 0) {
            return 2;
        }
        listening[i] = (struct pollfd){.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), .events = POLLIN};
        setsockopt(listening[i].fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        if (bind(listening[i].fd, (const struct sockaddr *)&at, sizeof at) != 0
            || listen(listening[i].fd, WAITING) != 0) {
            return failed(ports[i]);
        }
    }
    puts("listening");
    fflush(stdout);
    while (poll(listening, (nfds_t)count, -1) > 0) {
        for (int i = 0; i < count; i++) {
            int fd = (listening[i].revents & POLLIN) != 0 ? accept(listening[i].fd, NULL, NULL) : -1;
            if (fd >= 0) {
                close(fd);
            }
        }
    }
    return failed("poll");
}

int main(int argc, char **argv)
{
    if (argc == 6 && strcmp(argv[1], "call") == 0) {
        return call(argv + 2);
    }
    if (argc > 3 && argc <= 3 + MOST_PORTS && strcmp(argv[1], "take") == 0) {
        return take(argv[2], argv + 3, argc - 3);
    }
    fputs("usage: prober call ADDRESS PORT COUNT PAUSE_US | prober take ADDRESS PORT...\n", stderr);
    return 2;
}
