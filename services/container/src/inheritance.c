#include "inheritance.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* open(2) gives the lowest number that is free. */
static bool fill_standard(struct problem *problem)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
            return problem_set(problem, "cannot open /dev/null: %m");
    }
    return true;
}

bool inheritance_close(struct problem *problem)
{
    DIR *open_files;
    const struct dirent *entry;

    if (!fill_standard(problem))
        return false;
    open_files = opendir("/proc/self/fd");
    if (open_files == NULL)
        return problem_set(problem, "cannot read /proc/self/fd: %m");
    while ((entry = readdir(open_files)) != NULL) {
        int fd = atoi(entry->d_name);

        if (fd > STDERR_FILENO && fd != dirfd(open_files))
            close(fd);
    }
    closedir(open_files);
    return true;
}

bool inheritance_new_keyring(struct problem *problem)
{
    if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) >= 0 || errno == ENOSYS || errno == EPERM)
        return true;
    return problem_set(problem, "cannot make a session keyring: %m");
}
