#include "namespace.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/nsfs.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* So much of a path is in a message that errno's words still fit. */
#define PLACE "%.120s"

static bool is_number(const char *where)
{
    return where[0] != '\0' && strlen(where) <= 9 && strspn(where, "0123456789") == strlen(where);
}

static int inherited(enum kind kind, const char *where, struct problem *problem)
{
    int fd = atoi(where);

    if (fd <= STDERR_FILENO) {
        problem_set(problem, "descriptor %d cannot be the %s namespace: it is in use", fd, kind_word(kind));
        return -1;
    }
    if (fcntl(fd, F_SETFD, FD_CLOEXEC) < 0) {
        problem_set(problem, "cannot use descriptor %d as %s namespace: %m", fd, kind_word(kind));
        return -1;
    }
    return fd;
}

static bool is_of_kind(int fd, enum kind kind, const char *where, struct problem *problem)
{
    int type = ioctl(fd, NS_GET_NSTYPE);

    if (type == kind_flag(kind))
        return true;
    return problem_set(problem, PLACE " is no %s namespace%s", where, kind_word(kind),
                       type < 0 ? ", nor any other" : "");
}

/* O_NONBLOCK: a path that leads to a FIFO is told, not waited for. */
int namespace_open(enum kind kind, const char *where, struct problem *problem)
{
    int fd =
        is_number(where) ? inherited(kind, where, problem) : open(where, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (fd < 0) {
        if (!is_number(where))
            problem_set(problem, "cannot open %s namespace " PLACE ": %m", kind_word(kind), where);
        return -1;
    }
    if (is_of_kind(fd, kind, where, problem))
        return fd;
    close(fd);
    return -1;
}

int namespace_open_at(int directory, const char *path, enum kind kind, bool *absent, struct problem *problem)
{
    int fd = openat(directory, kind_file(kind), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);

    *absent = fd < 0 && errno == ENOENT;
    if (fd < 0) {
        if (!*absent)
            problem_set(problem, "cannot open " PLACE "/%s: %m", path, kind_file(kind));
        return -1;
    }
    if (ioctl(fd, NS_GET_NSTYPE) == kind_flag(kind))
        return fd;
    problem_set(problem, PLACE "/%s is no %s namespace", path, kind_file(kind), kind_word(kind));
    close(fd);
    return -1;
}

bool namespace_is_same(int one, int other)
{
    struct stat first;
    struct stat second;

    return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_dev == second.st_dev
           && first.st_ino == second.st_ino;
}

bool namespace_is_of_ours(int fd, enum kind kind, const char *where, struct problem *problem)
{
    int own = open("/proc/self/ns/user", O_RDONLY | O_CLOEXEC);
    int owner = ioctl(fd, NS_GET_USERNS);
    bool ours = own >= 0 && owner >= 0 && namespace_is_same(own, owner);

    if (own < 0)
        problem_set(problem, "cannot open /proc/self/ns/user: %m");
    else if (owner < 0)
        problem_set(problem, "cannot find the owner of %s namespace " PLACE ": %m", kind_word(kind), where);
    else if (!ours)
        problem_set(problem, "%s namespace " PLACE " belongs to another user namespace", kind_word(kind), where);
    if (own >= 0)
        close(own);
    if (owner >= 0)
        close(owner);
    return ours;
}

bool namespace_is_entered(int fd, enum kind kind)
{
    char path[64];
    struct stat own;
    struct stat other;

    snprintf(path, sizeof path, "/proc/self/ns/%s", kind_file(kind));
    return stat(path, &own) == 0 && fstat(fd, &other) == 0 && own.st_dev == other.st_dev && own.st_ino == other.st_ino;
}

bool namespace_join(int fd, enum kind kind, const char *where, struct problem *problem)
{
    if (setns(fd, kind_flag(kind)) == 0)
        return true;
    return problem_set(problem, "cannot join %s namespace " PLACE ": %m", kind_word(kind), where);
}
