#include "user_lock.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

#define UID 1000

static char directory[] = "/tmp/rollcall-lock.XXXXXX";
static int opened;
static char users[64];
static char path[80];
static struct problem problem;

static int taken(int milliseconds)
{
    problem.text[0] = '\0';
    return user_lock(opened, UID, deadline_in(milliseconds), &problem);
}

static void refused(const char *word, const char *what)
{
    if (!tap(taken(20) < 0 && strstr(problem.text, word) != NULL, "%s", what))
        tap_say("%s", problem.text);
}

static void made(mode_t mode)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

    if (fd < 0 || fchmod(fd, mode) < 0 || close(fd) < 0)
        exit(1);
}

/* A process that has the exclusive lock of fcntl(2), as the agent has it. */
static pid_t agent(void)
{
    int ready[2];
    char byte;
    pid_t child = pipe(ready) < 0 ? -1 : fork();

    if (child == 0) {
        struct flock exclusive = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        int fd = open(path, O_RDWR);

        if (fcntl(fd, F_SETLK, &exclusive) < 0 || write(ready[1], "x", 1) != 1)
            _exit(1);
        pause();
        _exit(0);
    }
    close(ready[1]);
    if (child < 0 || read(ready[0], &byte, 1) != 1)
        exit(1);
    close(ready[0]);
    return child;
}

static bool agent_may(void)
{
    struct flock exclusive = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int fd = open(path, O_RDWR);
    bool may = fcntl(fd, F_SETLK, &exclusive) == 0;

    close(fd);
    return may;
}

static void bad_files(void)
{
    refused("No such file", "a lock that is missing is named");
    made(0606);
    refused("writable by others", "a lock that others may take is none");
    unlink(path);
    if (symlink("/dev/null", path) < 0)
        exit(1);
    refused("cannot open", "a symbolic link is not followed");
    unlink(path);
}

static void logins_and_the_agent(void)
{
    int first, second;
    pid_t holder;

    made(0600);
    first = taken(20);
    second = taken(20);
    tap(first >= 0 && second >= 0, "two logins of a user are under way at once");
    tap(!agent_may(), "the agent waits for both");
    close(first);
    tap(!agent_may(), "and for the second");
    close(second);
    tap(agent_may(), "then it may write");
    holder = agent();
    refused("too long", "a login waits for the agent until its deadline");
    kill(holder, SIGKILL);
    waitpid(holder, NULL, 0);
    first = taken(1000);
    tap(first >= 0, "the lock of an agent that was killed is free");
    close(first);
}

int main(void)
{
    if (mkdtemp(directory) == NULL)
        return 1;
    opened = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    snprintf(users, sizeof users, "%s/users", directory);
    snprintf(path, sizeof path, "%s/%d.lock", users, UID);
    if (mkdir(users, 0700) < 0)
        return 1;
    bad_files();
    logins_and_the_agent();
    unlink(path);
    rmdir(users);
    rmdir(directory);
    return tap_done();
}
