#include "maps.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int open_of(int proc, pid_t pid, const char *name, int flags, struct problem *problem)
{
    char path[64];
    int fd;

    snprintf(path, sizeof path, "%d/%s", (int)pid, name);
    fd = openat(proc, path, flags | O_CLOEXEC);
    if (fd < 0)
        problem_set(problem, "cannot open /proc/%s: %m", path);
    return fd;
}

bool maps_forbid_setgroups(int proc, pid_t pid, struct problem *problem)
{
    int fd = open_of(proc, pid, "setgroups", O_WRONLY, problem);
    bool forbidden = fd >= 0 && write(fd, "deny", 4) == 4;

    if (fd < 0)
        return false;
    if (!forbidden)
        problem_set(problem, "cannot write deny to /proc/%d/setgroups: %m", (int)pid);
    close(fd);
    return forbidden;
}

/* As much of it as shows whether it has a second line. */
static bool read_map(int proc, pid_t pid, const char *name, char *text, size_t size, struct problem *problem)
{
    int fd = open_of(proc, pid, name, O_RDONLY, problem);
    ssize_t got;

    if (fd < 0)
        return false;
    got = read(fd, text, size - 1);
    if (got < 0)
        problem_set(problem, "cannot read /proc/%d/%s: %m", (int)pid, name);
    close(fd);
    text[got < 0 ? 0 : got] = '\0';
    return got >= 0;
}

static bool is_written(int proc, pid_t pid, const char *name, struct problem *problem)
{
    char text[128];

    if (!read_map(proc, pid, name, text, sizeof text, problem))
        return false;
    if (text[0] == '\0')
        problem_set(problem, "/proc/%d/%s was not written before go", (int)pid, name);
    return text[0] != '\0';
}

bool maps_are_written(int proc, pid_t pid, struct problem *problem)
{
    return is_written(proc, pid, "uid_map", problem) && is_written(proc, pid, "gid_map", problem);
}

static bool has_only(int proc, pid_t pid, const char *name, unsigned number, struct problem *problem)
{
    char text[128];
    unsigned inside;
    unsigned outside;
    unsigned length;
    int used = 0;

    if (!read_map(proc, pid, name, text, sizeof text, problem))
        return false;
    if (sscanf(text, "%u %u %u %n", &inside, &outside, &length, &used) == 3 && text[used] == '\0' && outside == number
        && length == 1)
        return true;
    problem_set(problem, "/proc/%d/%s maps more than the owner's own %u, whom the owner could become", (int)pid, name,
                number);
    return false;
}

bool maps_are_of_owner(int proc, pid_t pid, uid_t uid, gid_t gid, struct problem *problem)
{
    return has_only(proc, pid, "uid_map", uid, problem) && has_only(proc, pid, "gid_map", gid, problem);
}
