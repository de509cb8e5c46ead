#include "task_search.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "enter_options.h"
#include "job_cgroup.h"

/* More are counted and not remembered. */
#define CONTAINERS_MAX 4
#define CGROUPS_SIZE 16384
#define NAME_SIZE 32

/* One process of each container. Its directory is of this process, whatever becomes of the number. */
struct member {
    pid_t pid;
    int directory;
    struct stat users;
    struct stat mounts;
    bool own_root;
    int depth; /* of its pid namespace */
    char step[NAME_SIZE];
    char name[NAME_SIZE];
};

struct search {
    struct job_cgroup job;
    struct stat own[KINDS];
    struct stat own_root;
    struct stat job_mounts;
    bool has_job_mounts;
    struct member found[CONTAINERS_MAX];
    size_t count;
    bool more;
    pid_t unreadable; /* 0: none */
};

static bool is_same(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

static bool read_at(int directory, const char *name, char *text, size_t size)
{
    int fd = openat(directory, name, O_RDONLY | O_CLOEXEC);
    size_t used = 0;
    ssize_t got = 0;

    while (fd >= 0 && used + 1 < size && (got = read(fd, text + used, size - used - 1)) > 0)
        used += (size_t)got;
    text[used] = '\0';
    if (fd >= 0)
        close(fd);
    return fd >= 0 && got == 0;
}

static bool stat_kind(int directory, int kind, struct stat *to)
{
    char path[32];

    snprintf(path, sizeof path, "ns/%s", kind_file((enum kind)kind));
    return fstatat(directory, path, to, 0) == 0;
}

/* Of the name, what a terminal can show. */
static void read_name(struct member *member)
{
    read_at(member->directory, "comm", member->name, sizeof member->name);
    member->name[strcspn(member->name, "\n")] = '\0';
    for (char *each = member->name; *each != '\0'; each++) {
        if (!isprint((unsigned char)*each))
            *each = '?';
    }
}

/* How many numbers it has, one for each pid namespace that it is in. */
static int depth_of(int directory)
{
    static char status[4096];
    const char *line;
    int depth = 0;

    read_at(directory, "status", status, sizeof status);
    line = strstr(status, "\nNSpid:");
    if (line == NULL)
        return 0;
    for (line += strlen("\nNSpid:"); *line == '\t'; line += strcspn(line, "\t\n"), depth++)
        line++;
    return depth;
}

enum look { LOOK_IN_CONTAINER, LOOK_NOT_OWN, LOOK_NOT_IN_TASK, LOOK_UNREADABLE, LOOK_NO_CONTAINER };

static enum look look_at(const struct search *search, struct member *member)
{
    static char cgroups[CGROUPS_SIZE];
    struct stat owner;
    struct stat root;

    if (fstat(member->directory, &owner) < 0 || owner.st_uid != geteuid())
        return LOOK_NOT_OWN;
    if (!read_at(member->directory, "cgroup", cgroups, sizeof cgroups)
        || !job_cgroup_has_task(&search->job, cgroups, member->step, sizeof member->step))
        return LOOK_NOT_IN_TASK;
    if (!stat_kind(member->directory, KIND_MOUNT, &member->mounts)
        || !stat_kind(member->directory, KIND_USER, &member->users) || fstatat(member->directory, "root", &root, 0) < 0)
        return LOOK_UNREADABLE;
    if (is_same(&member->mounts, &search->own[KIND_MOUNT])
        || (search->has_job_mounts && is_same(&member->mounts, &search->job_mounts)))
        return LOOK_NO_CONTAINER;
    member->own_root = !is_same(&root, &search->own_root);
    /* Root's private directories, as Slurm makes them for jobs. */
    if (!member->own_root && is_same(&member->users, &search->own[KIND_USER]))
        return LOOK_NO_CONTAINER;
    member->depth = depth_of(member->directory);
    return LOOK_IN_CONTAINER;
}

/* Takes the member's directory over, or closes it. */
static void remember(struct search *search, struct member *member)
{
    for (size_t i = 0; i < search->count; i++) {
        struct member *known = &search->found[i];

        if (is_same(&known->mounts, &member->mounts)) {
            /* unshare --fork waits outside of the pid namespace that it made: its child is the one to follow. */
            bool better = member->depth > known->depth;

            close(better ? known->directory : member->directory);
            if (better)
                *known = *member;
            return;
        }
    }
    if (search->count < CONTAINERS_MAX) {
        search->found[search->count++] = *member;
        return;
    }
    search->more = true;
    close(member->directory);
}

static int open_process(int proc, const char *number)
{
    return openat(proc, number, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void look_at_all(struct search *search, DIR *proc)
{
    struct dirent *entry;

    while ((entry = readdir(proc)) != NULL) {
        struct member member = {.directory = -1};

        if (!enter_options_process(entry->d_name, &member.pid) || member.pid == 0)
            continue;
        member.directory = open_process(dirfd(proc), entry->d_name);
        if (member.directory < 0)
            continue;
        switch (look_at(search, &member)) {
        case LOOK_IN_CONTAINER:
            read_name(&member);
            remember(search, &member);
            continue;
        case LOOK_UNREADABLE:
            search->unreadable = member.pid;
            break;
        case LOOK_NOT_OWN:
        case LOOK_NOT_IN_TASK:
        case LOOK_NO_CONTAINER:
            break;
        }
        close(member.directory);
    }
}

/* Programs such as podman keep a process in mounts of their own beside the container, whose root is the node's. */
static void prefer_own_roots(struct search *search, bool demanded)
{
    size_t kept = 0;
    bool any = demanded;

    for (size_t i = 0; i < search->count; i++)
        any = any || search->found[i].own_root;
    for (size_t i = 0; any && i < search->count; i++) {
        if (search->found[i].own_root)
            search->found[kept++] = search->found[i];
        else
            close(search->found[i].directory);
    }
    if (any)
        search->count = kept;
}

static enum task_search several(const struct search *search, struct problem *problem)
{
    char list[160] = "";
    size_t used = 0;

    for (size_t i = 0; i < search->count && used < sizeof list; i++) {
        const struct member *each = &search->found[i];

        used += (size_t)snprintf(list + used, sizeof list - used, "%s%d (%.15s, %.12s)", i == 0 ? "" : ", ",
                                 (int)each->pid, each->name, each->step);
    }
    problem_set(problem, "the job's tasks have %s%zu containers, so name a process of one: %s",
                search->more ? "more than " : "", search->count, list);
    return TASK_REFUSED;
}

static enum task_search open_member(struct task *task, const struct member *member, struct problem *problem)
{
    return task_open(task, member->pid, member->directory, problem) ? TASK_FOUND : TASK_REFUSED;
}

static enum task_search find_any(struct task *task, struct search *search, DIR *proc, pid_t wanted,
                                 struct problem *problem)
{
    look_at_all(search, proc);
    prefer_own_roots(search, wanted == TASK_ROOTED);
    if (search->count > 1)
        return several(search, problem);
    if (search->count == 1)
        return open_member(task, &search->found[0], problem);
    if (search->unreadable == 0) {
        problem_set(problem, "no task of the job on this node runs in a container");
        return TASK_NONE;
    }
    problem_set(problem, "the kernel does not show the namespaces of process %d to this user", (int)search->unreadable);
    return TASK_NONE;
}

static enum task_search find_one(struct task *task, struct search *search, DIR *proc, pid_t wanted,
                                 struct problem *problem)
{
    struct member member = {.pid = wanted};
    char number[16];

    snprintf(number, sizeof number, "%d", (int)wanted);
    member.directory = open_process(dirfd(proc), number);
    if (member.directory < 0) {
        problem_set(problem, "there is no process %d", (int)wanted);
        return TASK_REFUSED;
    }
    switch (look_at(search, &member)) {
    case LOOK_IN_CONTAINER:
        return open_member(task, &member, problem);
    case LOOK_NOT_OWN:
        problem_set(problem, "process %d belongs to another user", (int)wanted);
        break;
    case LOOK_NOT_IN_TASK:
        problem_set(problem, "process %d is not in a task of this session's job", (int)wanted);
        break;
    case LOOK_UNREADABLE:
        problem_set(problem, "the kernel does not show the namespaces of process %d to this user", (int)wanted);
        break;
    case LOOK_NO_CONTAINER:
        problem_set(problem, "process %d runs in no container", (int)wanted);
        break;
    }
    return TASK_REFUSED;
}

static bool know_own(struct search *search, int proc, const char *pins, struct problem *problem)
{
    static char cgroups[CGROUPS_SIZE];
    int self = open_process(proc, "self");
    bool known = self >= 0 && stat("/", &search->own_root) == 0;

    for (int i = 0; known && i < KINDS; i++)
        known = stat_kind(self, i, &search->own[i]);
    if (known && pins != NULL) {
        char path[PATH_MAX];

        snprintf(path, sizeof path, "%s/%s", pins, kind_file(KIND_MOUNT));
        search->has_job_mounts = known = stat(path, &search->job_mounts) == 0;
    }
    known = known && read_at(self, "cgroup", cgroups, sizeof cgroups);
    if (!known)
        problem_set(problem, "cannot read this process's own namespaces and cgroups: %m");
    else if (!job_cgroup_of(&search->job, cgroups))
        problem_set(problem, "this session is in no job");
    if (self >= 0)
        close(self);
    return problem->text[0] == '\0';
}

enum task_search task_find(struct task *task, pid_t wanted, const char *pins, struct problem *problem)
{
    static struct search search;
    DIR *proc = opendir("/proc");
    enum task_search result = TASK_NONE;

    if (proc == NULL)
        problem_set(problem, "cannot open /proc: %m");
    else if (know_own(&search, dirfd(proc), pins, problem))
        result = wanted <= 0 ? find_any(task, &search, proc, wanted, problem)
                             : find_one(task, &search, proc, wanted, problem);
    if (proc != NULL)
        closedir(proc);
    return result;
}
