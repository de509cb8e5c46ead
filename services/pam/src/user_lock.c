#include "user_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "login_files.h"

/* The agent holds the lock while it writes one small file. */
#define BETWEEN_TRIES_NS 500000

static bool locked(int fd, const char *name, struct deadline deadline, struct problem *problem)
{
    struct flock shared = {.l_type = F_RDLCK, .l_whence = SEEK_SET};

    while (fcntl(fd, F_OFD_SETLK, &shared) < 0) {
        if (errno != EAGAIN && errno != EACCES && errno != EINTR)
            return problem_set(problem, "cannot lock %s: %m", name);
        if (deadline_left(deadline) == 0)
            return problem_set(problem, "the agent has held %s for too long", name);
        nanosleep(&(struct timespec){.tv_nsec = BETWEEN_TRIES_NS}, NULL);
    }
    return true;
}

int user_lock(int directory, uint32_t uid, struct deadline deadline, struct problem *problem)
{
    char name[32];
    struct stat file;
    int fd;

    snprintf(name, sizeof name, "users/%u.lock", (unsigned)uid);
    fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        problem_set(problem, "cannot open %s: %m", name);
        return -1;
    }
    if (login_trusted(fd, S_IFREG, name, &file, problem) == LOGIN_READ && locked(fd, name, deadline, problem))
        return fd;
    close(fd);
    return -1;
}
