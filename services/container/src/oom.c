#include "oom.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

bool oom_spare(int proc, pid_t pid, struct problem *problem)
{
    char path[64];
    int fd;
    bool spared;

    snprintf(path, sizeof path, "%d/oom_score_adj", (int)pid);
    fd = openat(proc, path, O_WRONLY | O_CLOEXEC);
    spared = fd >= 0 && write(fd, "-999", 4) == 4;
    if (!spared)
        problem_set(problem, "note: cannot write -999 to /proc/%s: %m", path);
    if (fd >= 0)
        close(fd);
    return spared;
}
