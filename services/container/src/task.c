#include "task.h"

#include <fcntl.h>
#include <linux/nsfs.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "namespace.h"

static int open_kind(const struct task *task, int directory, int kind, struct problem *problem)
{
    char path[32];
    int fd;

    snprintf(path, sizeof path, "ns/%s", kind_file((enum kind)kind));
    fd = openat(directory, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        problem_set(problem, "cannot open the %s namespace of process %d: %m", kind_word((enum kind)kind),
                    (int)task->pid);
    return fd;
}

/* True with a level for each user namespace, up to this process's own. */
static bool open_users(struct task *task, int directory, struct problem *problem)
{
    int users = open_kind(task, directory, KIND_USER, problem);

    while (users >= 0 && !namespace_is_entered(users, KIND_USER) && task->levels < TASK_LEVELS) {
        task->users[task->levels++] = users;
        users = ioctl(users, NS_GET_PARENT);
        if (users < 0)
            problem_set(problem, "cannot find what the user namespace of process %d is in: %m", (int)task->pid);
    }
    if (users >= 0 && !namespace_is_entered(users, KIND_USER))
        problem_set(problem, "process %d is in more than %d user namespaces", (int)task->pid, TASK_LEVELS);
    if (users >= 0)
        close(users);
    return problem->text[0] == '\0';
}

/* The level that owns the namespace; past the last if none does. */
static int owner_of(const struct task *task, int namespace)
{
    int owner = ioctl(namespace, NS_GET_USERNS);
    int level = 0;

    while (level < task->levels && (owner < 0 || !namespace_is_same(owner, task->users[level])))
        level++;
    if (owner >= 0)
        close(owner);
    return level;
}

/* Root's, as of a daemon that runs in namespaces of its own. Without the task's mounts and processes it would be no
 * entry, so those are never left out: the kernel refuses them by name. */
static bool is_left_out(const struct task *task, int kind, int fd)
{
    return kind != KIND_MOUNT && kind != KIND_PID && owner_of(task, fd) == task->levels;
}

static bool open_others(struct task *task, int directory, struct problem *problem)
{
    for (int i = 0; i < KINDS; i++) {
        int fd = i == KIND_USER ? -1 : open_kind(task, directory, i, problem);

        if (fd >= 0 && (namespace_is_entered(fd, (enum kind)i) || is_left_out(task, i, fd))) {
            close(fd);
            fd = -1;
        }
        task->fds[i] = fd;
        task->owners[i] = fd < 0 ? 0 : owner_of(task, fd);
    }
    return problem->text[0] == '\0';
}

static bool is_users(const struct task *task, struct problem *problem)
{
    uid_t owner;

    if (task->levels == 0 || task->owners[KIND_MOUNT] == task->levels)
        return problem_set(
            problem, "the container of process %d was made by root, without a user namespace: no user can enter it",
            (int)task->pid);
    if (ioctl(task->users[task->levels - 1], NS_GET_OWNER_UID, &owner) < 0)
        return problem_set(problem, "cannot find the owner of the user namespace of process %d: %m", (int)task->pid);
    if (owner == geteuid())
        return true;
    return problem_set(problem, "the container of process %d belongs to user %u: user %u cannot enter it",
                       (int)task->pid, (unsigned)owner, (unsigned)geteuid());
}

bool task_open(struct task *task, pid_t pid, int directory, struct problem *problem)
{
    *task = (struct task){.pid = pid, .root = -1};
    if (!open_users(task, directory, problem) || !open_others(task, directory, problem) || !is_users(task, problem))
        return false;
    task->root = openat(directory, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (task->root < 0)
        problem_set(problem, "cannot open the root directory of process %d: %m", (int)pid);
    return task->root >= 0;
}

static bool join_level(const struct task *task, int level, const char *where, struct problem *problem)
{
    if (level < task->levels && !namespace_join(task->users[level], KIND_USER, where, problem))
        return false;
    for (int i = 0; i < KINDS; i++) {
        if (task->fds[i] >= 0 && task->owners[i] == level
            && !namespace_join(task->fds[i], (enum kind)i, where, problem))
            return false;
    }
    return true;
}

bool task_join(const struct task *task, struct problem *problem)
{
    char where[32];
    bool joined = true;

    snprintf(where, sizeof where, "of process %d", (int)task->pid);
    for (int level = task->levels; joined && level >= 0; level--)
        joined = join_level(task, level, where, problem);
    return joined;
}
