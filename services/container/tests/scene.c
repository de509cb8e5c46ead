#include "scene.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "deadline.h"
#include "tap.h"

#define PATIENCE_MS 5000

/* A whole test, which ends far earlier. */
#define TEST_S 25

void must(int result, const char *what)
{
    if (result < 0) {
        perror(what);
        exit(1);
    }
}

/* A directory that is a file system of the scene's own. */
static char stage[] = "/tmp/rollcall-scene-XXXXXX";

static void build_stage(void)
{
    must(mkdtemp(stage) == NULL ? -1 : 0, stage);
    must(mount("tmpfs", stage, "tmpfs", 0, "mode=0755"), stage);
}

static void take_down_stage(void)
{
    umount2(stage, MNT_DETACH);
    rmdir(stage);
}

int scene_run(int (*test)(void))
{
    int status;
    pid_t pid;

    if (geteuid() != 0) {
        tap(true, "not root: no namespace was made");
        return tap_done();
    }
    must(unshare(CLONE_NEWNS | CLONE_NEWPID), "unshare");
    must(mount(NULL, "/", NULL, MS_PRIVATE | MS_REC, NULL), "make mounts private");
    build_stage();
    pid = fork();
    must(pid, "fork");
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        must(mount("proc", "/proc", "proc", 0, NULL), "mount /proc");
        exit(test());
    }
    status = await_end(pid, TEST_S * 1000);
    take_down_stage();
    return status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

const char *scene_program(const char *path)
{
    const char *name = strrchr(path, '/');
    size_t size = sizeof stage + strlen(path) + 2;
    char *copy = malloc(size);

    must(copy == NULL ? -1 : 0, "malloc");
    snprintf(copy, size, "%s/%s", stage, name == NULL ? path : name + 1);
    must(open(copy, O_WRONLY | O_CREAT | O_CLOEXEC, 0755), copy);
    must(mount(path, copy, NULL, MS_BIND, NULL), path);
    return copy;
}

int scene_others(void)
{
    DIR *all = opendir("/proc");
    struct dirent *entry;
    int count = 0;

    must(all == NULL ? -1 : 0, "/proc");
    while ((entry = readdir(all)) != NULL)
        count += strspn(entry->d_name, "0123456789") == strlen(entry->d_name);
    closedir(all);
    return count - 1;
}

/* There is no call that waits for a child for a time, and none for another's child: so it is asked again and again. */
static void blink(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

int await_end(pid_t pid, int milliseconds)
{
    struct deadline deadline = deadline_in(milliseconds);
    int status;

    while (deadline_left(deadline) > 0) {
        if (waitpid(pid, &status, WNOHANG) == pid)
            return status;
        blink();
    }
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    return -1;
}

bool await_gone(pid_t pid)
{
    struct deadline deadline = deadline_in(PATIENCE_MS);

    while (deadline_left(deadline) > 0) {
        waitpid(pid, NULL, WNOHANG);
        if (kill(pid, 0) < 0 && errno == ESRCH)
            return true;
        blink();
    }
    return false;
}

bool await_others(int count)
{
    struct deadline deadline = deadline_in(PATIENCE_MS);

    while (deadline_left(deadline) > 0) {
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
        if (scene_others() == count)
            return true;
        blink();
    }
    return false;
}

int scene_open(pid_t pid, const char *file)
{
    char path[64];
    int fd;

    snprintf(path, sizeof path, "/proc/%d/ns/%s", (int)pid, file);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    must(fd, path);
    return fd;
}

ino_t scene_inode(pid_t pid, const char *file)
{
    char path[64];
    struct stat found;

    snprintf(path, sizeof path, "/proc/%d/ns/%s", (int)pid, file);
    return stat(path, &found) == 0 ? found.st_ino : 0;
}

const char *scene_mounts(void (*arrange)(void))
{
    static char path[64];
    int ready[2];
    char sign;
    pid_t pid;

    must(pipe2(ready, O_CLOEXEC), "pipe");
    pid = fork();
    must(pid, "fork");
    if (pid == 0) {
        must(unshare(CLONE_NEWNS), "unshare");
        must(mount(NULL, "/", NULL, MS_PRIVATE | MS_REC, NULL), "make mounts private");
        if (arrange != NULL)
            arrange();
        must((int)write(ready[1], "!", 1), "write");
        pause();
        _exit(0);
    }
    close(ready[1]);
    must(read(ready[0], &sign, 1) == 1 ? 0 : -1, "the mount namespace");
    close(ready[0]);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), scene_open(pid, "mnt"));
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    return path;
}

int scene_inside(pid_t pid, const char *const *files, int (*play)(void))
{
    int fds[8];
    size_t count = 0;
    int status;
    pid_t child;

    for (; files[count] != NULL && count < 8; count++)
        fds[count] = scene_open(pid, files[count]);
    child = fork();
    must(child, "fork");
    if (child == 0) {
        for (size_t i = 0; i < count; i++)
            must(setns(fds[i], 0), files[i]);
        child = fork();
        must(child, "fork");
        if (child == 0)
            _exit(play());
        must(waitpid(child, &status, 0), "waitpid");
        _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 98);
    }
    for (size_t i = 0; i < count; i++)
        close(fds[i]);
    status = await_end(child, PATIENCE_MS);
    return status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool scene_read(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got;

    text[0] = '\0';
    if (fd < 0)
        return false;
    got = read(fd, text, size - 1);
    text[got < 0 ? 0 : got] = '\0';
    close(fd);
    return got >= 0;
}

bool scene_write(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

    if (fd >= 0)
        close(fd);
    return written;
}
