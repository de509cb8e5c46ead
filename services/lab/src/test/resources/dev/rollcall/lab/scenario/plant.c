/* plant PINS [FROM TO]...: what any process of a job's user can do with the job's user namespace: enter it with all
 * capabilities, and mount. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>

static void must(int result, const char *what)
{
    if (result < 0) {
        perror(what);
        exit(1);
    }
}

static int pin(const char *directory, const char *kind)
{
    char path[256];
    int fd;

    snprintf(path, sizeof path, "%s/%s", directory, kind);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    must(fd, path);
    return fd;
}

int main(int count, char **words)
{
    int user = pin(words[1], "user");
    int mounts = pin(words[1], "mnt");

    must(setns(user, CLONE_NEWUSER), "join the user namespace");
    must(setns(mounts, CLONE_NEWNS), "join the mount namespace");
    for (int i = 2; i + 1 < count; i += 2)
        must(mount(words[i], words[i + 1], NULL, MS_BIND, NULL), words[i + 1]);
    return 0;
}
