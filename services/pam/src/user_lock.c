#include "user_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "login_files.h"

/* The agent holds the lock while it writes one small file. */
#define BETWEEN_TRIES_NS 500000

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
    struct stat file;
    int fd;

    if (length < 0 || (size_t)length >= sizeof path) {
        problem_set(problem, "%.160s: the path is too long", directory);
        return -1;
    }
    fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        problem_set(problem, "cannot open %.160s: %m", path);
        return -1;
    }
    if (login_trusted(fd, S_IFREG, path, &file, problem) == LOGIN_READ && locked(fd, path, deadline, problem))
        return fd;
    close(fd);
    return -1;
}
