#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent.h"
#include "complaint.h"
#include "deadline.h"
#include "maps.h"
#include "namespace.h"
#include "oom.h"
#include "order.h"
#include "owner.h"
#include "resident.h"
#include "talk.h"

/* What is opened while paths still mean what the node has there, and what is made. */
struct launch {
    const struct create_options *options;
    struct deadline deadline;
    int null;
    int proc;
    int mounts;
    uint64_t own; /* the number of the agent's mount namespace */
    int roots[CREATE_CGROUPS_MAX];
    int cgroups[CREATE_CGROUPS_MAX];
    int line;       /* to the resident process */
    int other_end;  /* its own, until it has it */
    pid_t resident; /* 0 while there is none */
};

/* Numbers up to stderr's are never ours, whatever was closed when the program began. */
static int open_above_stderr(const char *path, int flags, struct problem *problem)
{
    int fd;

    do
        fd = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd < 0)
        problem_set(problem, "cannot open %.120s: %m", path);
    return fd;
}

static bool open_cgroups(int *fds, const char *const *paths, size_t count, struct problem *problem)
{
    for (size_t i = 0; i < count; i++) {
        fds[i] = open_above_stderr(paths[i], O_WRONLY, problem);
        if (fds[i] < 0)
            return false;
    }
    return true;
}

static bool open_all(struct launch *launch, struct problem *problem)
{
    const struct create_options *options = launch->options;
    int ends[2];

    launch->null = open_above_stderr("/dev/null", O_RDWR, problem);
    if (launch->null < 0)
        return false;
    launch->proc = open_above_stderr("/proc", O_PATH | O_DIRECTORY, problem);
    if (launch->proc < 0)
        return false;
    launch->own = order_number(launch->proc);
    if (!open_cgroups(launch->roots, options->cgroup_roots, options->root_count, problem)
        || !open_cgroups(launch->cgroups, options->cgroup_procs, options->cgroup_count, problem))
        return false;
    launch->mounts = namespace_open(KIND_MOUNT, options->mount, problem);
    if (launch->mounts < 0 || !talk_begin(ends, problem))
        return false;
    launch->line = ends[0];
    launch->other_end = ends[1];
    return true;
}

/* A mount that the resident makes in the node's own namespace would be every process's. */
static bool is_fit(const struct launch *launch, struct problem *problem)
{
    const char *where = launch->options->mount;

    if (namespace_is_entered(launch->mounts, KIND_MOUNT))
        return problem_set(problem, "mount namespace %.120s is the one that this program is in, not a job's", where);
    return namespace_is_of_ours(launch->mounts, KIND_MOUNT, where, problem);
}

/* Pid 0 is the writer. */
static bool move(pid_t pid, const int *fds, const char *const *paths, size_t count, struct problem *problem)
{
    char text[16];
    int length = snprintf(text, sizeof text, "%d\n", (int)pid);

    for (size_t i = 0; i < count; i++) {
        if (write(fds[i], text, (size_t)length) != length)
            return problem_set(problem, "cannot write to %.120s: %m", paths[i]);
    }
    return true;
}

static bool enter_cgroups(const struct launch *launch, struct problem *problem)
{
    const struct create_options *options = launch->options;

    return options->root_count > 0 ? move(0, launch->roots, options->cgroup_roots, options->root_count, problem)
                                   : move(0, launch->cgroups, options->cgroup_procs, options->cgroup_count, problem);
}

/* Out of the root, which may be about to become a cgroup that has others below it and can hold no process. The resident
 * process is waiting: it has none yet. */
static bool leave_root(const struct launch *launch, struct problem *problem)
{
    const struct create_options *options = launch->options;

    return options->root_count == 0
           || (move(launch->resident, launch->cgroups, options->cgroup_procs, options->cgroup_count, problem)
               && move(0, launch->cgroups, options->cgroup_procs, options->cgroup_count, problem));
}

static void close_cgroups(const struct launch *launch)
{
    for (size_t i = 0; i < launch->options->root_count; i++)
        close(launch->roots[i]);
    for (size_t i = 0; i < launch->options->cgroup_count; i++)
        close(launch->cgroups[i]);
}

/* The raw call, as glibc has none without a stack to give; flags come first on all machines but s390. */
static pid_t clone_with(int flags)
{
    return (pid_t)syscall(SYS_clone, (unsigned long)flags | SIGCHLD, 0UL, 0UL, 0UL, 0UL);
}

/* With the user namespace the mounts are copied, so that the copy belongs to it. */
static bool clone_resident(struct launch *launch, int word_count, char **words, struct problem *problem)
{
    int flags = launch->options->flags;
    char kinds[64];

    if ((flags & CLONE_NEWUSER) != 0)
        flags |= CLONE_NEWNS;
    kinds_list(flags, kinds, sizeof kinds);
    launch->resident = clone_with(flags);
    if (launch->resident == 0)
        resident_live(&(struct resident){.line = launch->other_end,
                                         .null = launch->null,
                                         .flags = flags,
                                         .title = launch->options->name,
                                         .word_count = word_count,
                                         .words = words});
    if (launch->resident > 0)
        return true;
    launch->resident = 0;
    return problem_set(problem, "cannot make the namespaces %s: %m", kinds);
}

static void note(const char *text)
{
    complaint_write("rollcall-namespaces", text);
}

static bool has_users(const struct launch *launch)
{
    return (launch->options->flags & CLONE_NEWUSER) != 0;
}

static bool clone_as_owner(struct launch *launch, int word_count, char **words, struct problem *problem)
{
    const struct create_options *options = launch->options;
    bool made;

    if (!options->has_owner)
        return clone_resident(launch, word_count, words, problem);
    if (!owner_become(options->uid, options->gid, problem))
        return false;
    made = clone_resident(launch, word_count, words, problem);
    return owner_be_root_again(problem) && made;
}

static bool make(struct launch *launch, int word_count, char **words, struct problem *problem)
{
    struct order order = {.moved = false};
    bool made;

    if (!enter_cgroups(launch, problem) || !namespace_join(launch->mounts, KIND_MOUNT, launch->options->mount, problem))
        return false;
    if (has_users(launch) && !order_go_behind(&order, launch->own, launch->proc))
        note("note: the kernel will not bind the new mount namespace where this program was begun: "
             "it numbers those made on these processors lower");
    made = clone_as_owner(launch, word_count, words, problem);
    order_leave(&order, launch->resident);
    close(launch->other_end);
    made = made && leave_root(launch, problem);
    close_cgroups(launch);
    return made;
}

static bool await_report(const struct launch *launch, struct problem *problem)
{
    switch (agent_await(launch->line, -1, launch->deadline)) {
    case AWAITED_RESIDENT:
        if (!talk_read_report(launch->line, problem))
            problem_set(problem, "the process in the new namespaces ended early");
        return problem->text[0] == '\0';
    case AWAITED_AGENT:
    case AWAITED_NOTHING:
        break;
    }
    return problem_set(problem, "the process in the new namespaces was not ready within %d ms",
                       launch->options->timeout_ms);
}

/* Up to the line "made". */
static bool announce(const struct launch *launch, struct problem *problem)
{
    struct problem refused;
    char made[32];

    if (!await_report(launch, problem))
        return false;
    if ((launch->options->flags & CLONE_NEWPID) != 0 && !oom_spare(launch->proc, launch->resident, &refused))
        note(refused.text);
    if (launch->options->has_owner && !maps_forbid_setgroups(launch->proc, launch->resident, problem))
        return false;
    snprintf(made, sizeof made, "made %d\n", (int)launch->resident);
    return agent_tell(made, problem);
}

/* From "go" to "ready". */
static bool settle(const struct launch *launch, struct problem *problem)
{
    const struct create_options *options = launch->options;

    if (!agent_await_go(launch->line, launch->deadline, options->timeout_ms, problem))
        return false;
    if (has_users(launch) && !maps_are_written(launch->proc, launch->resident, problem))
        return false;
    if (options->has_owner && options->uid != 0
        && !(map_is_of_owner(launch->proc, launch->resident, "uid_map", options->uid, &options->also_uids, problem)
             && map_is_of_owner(launch->proc, launch->resident, "gid_map", options->gid, &options->also_gids, problem)))
        return false;
    if (!talk_say(launch->line, WORD_GO))
        return problem_set(problem, "the process in the new namespaces ended before go");
    return await_report(launch, problem) && agent_tell("ready\n", problem);
}

/* The last step: a launcher that is killed before it leaves nothing. The other end of the line is closed in answer. */
static bool leave(const struct launch *launch, struct problem *problem)
{
    struct problem none;

    if (talk_say(launch->line, WORD_STAY) && agent_await(launch->line, -1, launch->deadline) == AWAITED_RESIDENT
        && !talk_read_report(launch->line, &none))
        return true;
    return problem_set(problem, "the process in the new namespaces ended after its setup");
}

/* Not reaped before, so the number is still this child's. Process 1 takes all of its pid namespace along. */
static void put_away(const struct launch *launch)
{
    if (launch->resident == 0)
        return;
    kill(launch->resident, SIGKILL);
    while (waitpid(launch->resident, NULL, 0) < 0 && errno == EINTR)
        ;
}

bool launch(const struct create_options *options, int word_count, char **words, struct problem *problem)
{
    struct launch launch = {.options = options, .deadline = deadline_in(options->timeout_ms)};
    bool done = open_all(&launch, problem) && is_fit(&launch, problem) && make(&launch, word_count, words, problem)
                && announce(&launch, problem) && settle(&launch, problem);

    if (done && (options->flags & CLONE_NEWPID) != 0 && leave(&launch, problem))
        return true;
    put_away(&launch);
    return done && (options->flags & CLONE_NEWPID) == 0;
}
