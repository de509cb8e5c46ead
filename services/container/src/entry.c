#include "entry.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/nsfs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "namespace.h"

/* Users and mounts are always among pins; a job need not have the others. */
static bool open_pins(struct entry *entry, const char *path, struct problem *problem)
{
    int directory = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    bool good = directory >= 0;

    if (directory < 0)
        problem_set(problem, "cannot open the directory of pins %.120s: %m", path);
    for (int i = 0; good && i < KINDS; i++) {
        bool absent;

        entry->fds[i] = namespace_open_at(directory, path, (enum kind)i, &absent, problem);
        good = entry->fds[i] >= 0 || (absent && i != KIND_USER && i != KIND_MOUNT);
        if (absent && !good)
            problem_set(problem, "%.120s has no %s, which is needed", path, kind_file((enum kind)i));
    }
    if (directory >= 0)
        close(directory);
    return good;
}

bool entry_open(struct entry *entry, const struct enter_options *options, struct problem *problem)
{
    entry->task = NULL;
    for (int i = 0; i < KINDS; i++)
        entry->fds[i] = -1;
    if (options->pins != NULL)
        return open_pins(entry, options->pins, problem);
    for (int i = 0; i < KINDS; i++) {
        if (options->where[i] == NULL)
            continue;
        entry->fds[i] = namespace_open((enum kind)i, options->where[i], problem);
        if (entry->fds[i] < 0)
            return false;
    }
    return true;
}

void entry_of_task(struct entry *entry, const struct task *task)
{
    entry->task = task;
    memcpy(entry->fds, task->fds, sizeof entry->fds);
}

/* By far the most likely reason why the user's cannot be joined (NS_GET_OWNER_UID, Linux 4.11). */
static bool is_owner(int users, const char *where, struct problem *problem)
{
    uid_t owner;

    if (ioctl(users, NS_GET_OWNER_UID, &owner) < 0)
        return problem_set(problem, "cannot find the owner of user namespace %.120s: %m", where);
    if (owner == geteuid())
        return true;
    return problem_set(problem, "user namespace %.120s belongs to user %u and cannot be joined by user %u", where,
                       (unsigned)owner, (unsigned)geteuid());
}

static const char *place(const struct enter_options *options, int kind)
{
    return options->pins != NULL ? options->pins : options->where[kind];
}

/* Descriptors are of no use any more, and not for the command. */
static bool join_all(const struct entry *entry, const struct enter_options *options, struct problem *problem)
{
    for (int i = 0; i < KINDS; i++) {
        if (entry->fds[i] < 0)
            continue;
        if (!namespace_join(entry->fds[i], (enum kind)i, place(options, i), problem))
            return false;
        close(entry->fds[i]);
    }
    return true;
}

static bool join_options(const struct entry *entry, const struct enter_options *options, struct problem *problem)
{
    return is_owner(entry->fds[KIND_USER], place(options, KIND_USER), problem) && join_all(entry, options, problem);
}

/* A mount namespace has a root of its own, which is where setns(2) leads. A task can have another one by chroot(2). */
static bool change_root(int root, struct problem *problem)
{
    struct stat now;
    struct stat its;

    if (stat("/", &now) == 0 && fstat(root, &its) == 0 && now.st_dev == its.st_dev && now.st_ino == its.st_ino)
        return true;
    if (fchdir(root) == 0 && chroot(".") == 0)
        return true;
    return problem_set(problem, "cannot go to the task's root directory: %m");
}

static bool join(const struct entry *entry, const struct enter_options *options, struct problem *problem)
{
    if (entry->task == NULL)
        return join_options(entry, options, problem);
    return task_join(entry->task, problem) && change_root(entry->task->root, problem);
}

bool entry_go(const struct entry *entry, const struct enter_options *options, struct problem *problem)
{
    char directory[PATH_MAX];
    bool known = getcwd(directory, sizeof directory) != NULL;

    if (!join(entry, options, problem))
        return false;
    /* A working directory that cannot be reached by name begins with "(unreachable)" (getcwd(3)). */
    if (known && directory[0] == '/' && chdir(directory) == 0)
        return true;
    if (chdir("/") == 0)
        return true;
    return problem_set(problem, "cannot go to / in the job's mount namespace: %m");
}
