#include "carry.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "old_symbols.h"

#define BUFFER (64 * 1024)
#define STACK (32 * 1024)

/* Before glibc 2.34 these are in libpthread, which the program names for that (Makefile). */
OLD_SYMBOL(pthread_create, pthread_create);
OLD_SYMBOL(pthread_attr_setstacksize, pthread_attr_setstacksize);

/* The way from what we read to the connection, by a thread of its own: neither way waits for the other. */
struct upwards {
    int in;
    int connection;
    _Atomic(const char *) problem; /* NULL while there is none */
};

/* In Java's words. */
static const char *words(int error, bool reading)
{
    return reading && error == ECONNRESET ? "Connection reset" : strerror(error);
}

static bool write_all(int to, const char *bytes, size_t length, const char **why)
{
    while (length > 0) {
        ssize_t written = write(to, bytes, length);

        if (written >= 0) {
            bytes += written;
            length -= (size_t)written;
        } else if (errno != EINTR) {
            *why = words(errno, false);
            return false;
        }
    }
    return true;
}

static bool copy(int from, int to, char buffer[BUFFER], const char **why)
{
    for (;;) {
        ssize_t length = read(from, buffer, BUFFER);

        if (length == 0)
            return true;
        if (length < 0 && errno == EINTR)
            continue;
        if (length < 0) {
            *why = words(errno, true);
            return false;
        }
        if (!write_all(to, buffer, (size_t)length, why))
            return false;
    }
}

static void *go_upwards(void *given)
{
    static char buffer[BUFFER];
    struct upwards *way = given;
    const char *why;

    if (copy(way->in, way->connection, buffer, &why)) {
        shutdown(way->connection, SHUT_WR);
        return NULL;
    }
    way->problem = why;
    shutdown(way->connection, SHUT_RDWR);
    return NULL;
}

bool carry(int connection, int in, int out, const char **why)
{
    static char buffer[BUFFER];
    static struct upwards way;
    pthread_attr_t attributes;
    pthread_t thread;
    bool carried;

    way.in = in;
    way.connection = connection;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&thread, &attributes, go_upwards, &way) != 0) {
        *why = "no thread";
        return false;
    }
    carried = copy(connection, out, buffer, why);
    if (way.problem != NULL) {
        *why = way.problem;
        return false;
    }
    return carried;
}
