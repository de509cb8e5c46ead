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

/* The kernel takes at most 340 lines of three numbers (user_namespaces(7)), of 33 bytes each. */
#define MAP_MAX 16384

/* One read(2) returns a page at most (seq_read_iter of fs/seq_file.c). */
static bool read_map(int proc, pid_t pid, const char *name, char text[MAP_MAX], struct problem *problem)
{
    int fd = open_of(proc, pid, name, O_RDONLY, problem);
    size_t used = 0;
    ssize_t got;

    if (fd < 0)
        return false;
    while ((got = read(fd, text + used, MAP_MAX - used)) > 0)
        used += (size_t)got;
    if (got < 0)
        problem_set(problem, "cannot read /proc/%d/%s: %m", (int)pid, name);
    else if (used == MAP_MAX)
        problem_set(problem, "/proc/%d/%s is longer than %d bytes", (int)pid, name, MAP_MAX - 1);
    else
        text[used] = '\0';
    close(fd);
    return got == 0 && used < MAP_MAX;
}

static bool is_written(int proc, pid_t pid, const char *name, struct problem *problem)
{
    char text[MAP_MAX];

    if (!read_map(proc, pid, name, text, problem))
        return false;
    if (text[0] == '\0')
        problem_set(problem, "/proc/%d/%s was not written before go", (int)pid, name);
    return text[0] != '\0';
}

bool maps_are_written(int proc, pid_t pid, struct problem *problem)
{
    return is_written(proc, pid, "uid_map", problem) && is_written(proc, pid, "gid_map", problem);
}

/* A line of a map with these numbers outside. */
static bool is_allowed(unsigned long first, unsigned long count, unsigned own, const struct id_ranges *also)
{
    bool allowed = first == own && count == 1;

    for (size_t i = 0; i < also->count && !allowed; i++)
        allowed = first >= also->all[i].first && count <= also->all[i].count
                  && first - also->all[i].first <= also->all[i].count - count;
    return allowed;
}

bool map_is_of_owner(int proc, pid_t pid, const char *name, unsigned own, const struct id_ranges *also,
                     struct problem *problem)
{
    char text[MAP_MAX];
    const char *line = text;
    unsigned inside;
    unsigned outside;
    unsigned length;
    int used = 0;
    bool own_is_mapped = false;
    bool allowed = true;

    if (!read_map(proc, pid, name, text, problem))
        return false;
    while (allowed && sscanf(line, "%u %u %u %n", &inside, &outside, &length, &used) == 3) {
        allowed = is_allowed(outside, length, own, also);
        own_is_mapped = own_is_mapped || (allowed && own >= outside && own - outside < length);
        line += used;
    }
    if (!allowed || *line != '\0')
        problem_set(problem, "/proc/%d/%s maps more than the owner's own %u%s, whom the owner could become", (int)pid,
                    name, own, also->count > 0 ? " and subordinate numbers" : "");
    else if (!own_is_mapped)
        problem_set(problem, "/proc/%d/%s does not map the owner's own %u", (int)pid, name, own);
    return allowed && *line == '\0' && own_is_mapped;
}
