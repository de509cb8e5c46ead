#include "user_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The agent holds the lock while it writes one small file. */
#define BETWEEN_TRIES_NS 500000

static bool is_roots(int fd, const char *path, struct problem *problem)
{
    struct stat file;

    if (fstat(fd, &file) < 0)
        problem_set(problem, "cannot look at %.160s: %m", path);
    else if (!S_ISREG(file.st_mode) || (file.st_uid != 0 && file.st_uid != geteuid())
             || (file.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        problem_set(problem, "%.160s is no file that only root writes", path);
    else
        return true;
    return false;
}

static bool locked(int fd, const char *path, struct deadline deadline, struct problem *problem)
{
    struct flock shared = {.l_type = F_RDLCK, .l_whence = SEEK_SET};

    while (fcntl(fd, F_OFD_SETLK, &shared) < 0) {
        if (errno != EAGAIN && errno != EACCES && errno != EINTR) {
            problem_set(problem, "cannot lock %.160s: %m", path);
            return false;
        }
        if (deadline_left(deadline) == 0) {
            problem_set(problem, "the agent has held %.160s for too long", path);
            return false;
        }
        nanosleep(&(struct timespec){.tv_nsec = BETWEEN_TRIES_NS}, NULL);
    }
    return true;
}

int user_lock(const char *directory, uint32_t uid, struct deadline deadline, struct problem *problem)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/users/%u.lock", directory, (unsigned)uid);
    int fd;

    if (length < 0 || (size_t)length >= sizeof path) {
        problem_set(problem, "%.160s: too long a path", directory);
        return -1;
    }
    fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        problem_set(problem, "cannot open %.160s: %m", path);
        return -1;
    }
    if (is_roots(fd, path, problem) && locked(fd, path, deadline, problem))
        return fd;
    close(fd);
    return -1;
}
