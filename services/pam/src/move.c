#include "move.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "membership.h"

/* A process's number is below 2^22 (proc(5), /proc/sys/kernel/pid_max). */
#define PID_BITS 22
#define NS_IN_A_TICK 10000000ULL
#define AGENTS_MAX (1ULL << 32)

/* Of cgroup.events, which has two short lines (kernel's admin-guide/cgroup-v2). */
#define EVENTS_MAX 128

/* A list of CPUs or of memory nodes, of a machine with thousands of them. */
#define SET_MAX 4096

#define LEAF_MAX 32

/* A job's cgroup, a session's leaf in it, and a file of that. */
#define PATH_SIZE (sizeof((rollcall_login_v1_JobCgroup *)0)->directory + 64)

uint64_t move_session(pid_t pid, uint64_t process_start_ns)
{
    return AGENTS_MAX + (process_start_ns / NS_IN_A_TICK << PID_BITS | (uint64_t)pid);
}

/* False: it does not fit. */
static bool join(char *path, size_t size, const char *directory, const char *name)
{
    int length = snprintf(path, size, "%s/%s", directory, name);

    return length > 0 && (size_t)length < size;
}

static void name_leaf(uint64_t session, char name[LEAF_MAX])
{
    snprintf(name, LEAF_MAX, "session_%llu", (unsigned long long)session);
}

static bool put(const char *directory, const char *name, const char *text, size_t length, struct problem *problem)
{
    char path[PATH_MAX];
    bool written = false;
    int fd;

    if (!join(path, sizeof path, directory, name))
        return problem_set(problem, "%.128s: the path is too long", directory);
    fd = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd >= 0) {
        written = write(fd, text, length) == (ssize_t)length;
        if (!written)
            problem_set(problem, "cannot write %.160s: %m", path);
        close(fd);
    } else {
        problem_set(problem, "cannot open %.160s: %m", path);
    }
    return written;
}

/* v1: a thread that moves itself takes no lock of the whole machine, which "cgroup.procs" does. */
static bool enter(const char *directory, bool v2, struct problem *problem)
{
    return put(directory, v2 ? "cgroup.procs" : "tasks", "0", 1, problem);
}

/* cpuset(7): a new cpuset of v1 has neither CPUs nor nodes, and takes no process. True where there is no such file. */
static bool inherit(const char *parent, const char *leaf, const char *name, struct problem *problem)
{
    char text[SET_MAX];
    char path[PATH_SIZE];
    ssize_t length;
    int fd;

    if (!join(path, sizeof path, parent, name))
        return problem_set(problem, "%.128s: the path is too long", parent);
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0 && errno == ENOENT)
        return true;
    length = fd < 0 ? -1 : read(fd, text, sizeof text);
    if (length < 0)
        problem_set(problem, "cannot read %.160s: %m", path);
    if (length == (ssize_t)sizeof text)
        problem_set(problem, "%.160s is longer than %zu bytes", path, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    return length >= 0 && length < (ssize_t)sizeof text && put(leaf, name, text, (size_t)length, problem);
}

static bool make_leaf(const rollcall_login_v1_JobCgroup *cgroup, const char *leaf, struct problem *problem)
{
    if (mkdir(leaf, 0755) < 0 && errno != EEXIST)
        return problem_set(problem, "cannot make %.160s: %m", leaf);
    return cgroup->hierarchy[0] == '\0'
           || (inherit(cgroup->directory, leaf, "cpuset.cpus", problem)
               && inherit(cgroup->directory, leaf, "cpuset.mems", problem));
}

/* Where the hierarchy is mounted: the cgroup's directory without the path that the kernel shows for it. */
static bool mounted_at(const rollcall_login_v1_JobCgroup *cgroup, char mount[PATH_SIZE])
{
    size_t directory = strlen(cgroup->directory);
    size_t path = strlen(cgroup->path);

    if (path >= directory || strcmp(cgroup->directory + directory - path, cgroup->path) != 0)
        return false;
    memcpy(mount, cgroup->directory, directory - path);
    mount[directory - path] = '\0';
    return true;
}

/* To where `before` shows it. */
static bool move_back(const rollcall_login_v1_JobCgroup *cgroup, const char *before, struct problem *problem)
{
    char mount[PATH_SIZE];
    char directory[PATH_MAX];
    size_t length = 0;
    const char *path = membership_path(before, cgroup->hierarchy, &length);
    int written = path == NULL || !mounted_at(cgroup, mount)
                      ? -1
                      : snprintf(directory, sizeof directory, "%s%.*s", mount, (int)length, path);

    if (written < 0 || (size_t)written >= sizeof directory)
        return problem_set(problem, "hierarchy \"%s\": no cgroup to move back to", cgroup->hierarchy);
    return enter(directory, cgroup->hierarchy[0] == '\0', problem);
}

/* Of the first `moved` cgroups, the first one included. The reason why it came to this stays in problem, unless a move
 * back fails. */
static enum moving undo(const rollcall_login_v1_Job *job, size_t moved, const char *before, struct problem *problem)
{
    enum moving outcome = MOVE_NOT_BEGUN;

    for (size_t i = 0; i < moved; i++) {
        struct problem second = {""};

        if (!move_back(&job->cgroups[i], before, &second)) {
            struct problem first = *problem;

            problem_set(problem, "%.120s; not moved back: %.120s", first.text, second.text);
            outcome = MOVE_HALF_DONE;
        }
    }
    return outcome;
}

/* What a session's path in a cgroup ends with: nothing where it has no leaf of its own. */
static bool session_path(const rollcall_login_v1_JobCgroup *cgroup, const char *parent, const char *name, char *path,
                         size_t size)
{
    int length = cgroup->no_leaf ? snprintf(path, size, "%s", parent) : snprintf(path, size, "%s/%s", parent, name);

    return length > 0 && (size_t)length < size;
}

/* The directory that a session enters in a cgroup. */
static bool session_directory(const rollcall_login_v1_JobCgroup *cgroup, const char *name, char path[PATH_SIZE],
                              struct problem *problem)
{
    if (session_path(cgroup, cgroup->directory, name, path, PATH_SIZE))
        return true;
    return problem_set(problem, "%.128s: the path is too long", cgroup->directory);
}

static bool make_leaves(const rollcall_login_v1_Job *job, const char *name, struct problem *problem)
{
    for (size_t i = 0; i < job->cgroups_count; i++) {
        char leaf[PATH_SIZE];

        if (!job->cgroups[i].no_leaf
            && !(session_directory(&job->cgroups[i], name, leaf, problem)
                 && make_leaf(&job->cgroups[i], leaf, problem)))
            return false;
    }
    return true;
}

/* Those that are there, and empty. The one that identifies the job is the last: by it the agent finds what is left. */
static void remove_leaves(const rollcall_login_v1_Job *job, const char *name)
{
    struct problem none;

    for (size_t i = job->cgroups_count; i-- > 0;) {
        char leaf[PATH_SIZE];

        if (!job->cgroups[i].no_leaf && session_directory(&job->cgroups[i], name, leaf, &none))
            rmdir(leaf);
    }
}

static bool move_in(const rollcall_login_v1_JobCgroup *cgroup, const char *name, struct problem *problem)
{
    char directory[PATH_SIZE];

    return session_directory(cgroup, name, directory, problem)
           && enter(directory, cgroup->hierarchy[0] == '\0', problem);
}

/* The number of the file's first bytes that were read; 0: there is no such file. -1, and problem says why: it cannot be
 * read. */
static ssize_t begins(const char *directory, const char *name, char *text, size_t size, struct problem *problem)
{
    char path[PATH_SIZE];
    ssize_t length;
    int fd;

    if (!join(path, sizeof path, directory, name)) {
        problem_set(problem, "%.128s: the path is too long", directory);
        return -1;
    }
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0 && errno == ENOENT)
        return 0;
    length = fd < 0 ? -1 : read(fd, text, size);
    if (length < 0)
        problem_set(problem, "cannot read %.160s: %m", path);
    if (fd >= 0)
        close(fd);
    return length;
}

static bool frozen(struct problem *problem)
{
    return problem_set(problem, "the job is frozen");
}

/* The file shows the state of the cgroups above as well; FREEZING is none of ours either (kernel's
 * admin-guide/cgroup-v1/freezer-subsystem). A v1 hierarchy without the file freezes nothing. */
static bool thawed_v1(const char *directory, struct problem *problem)
{
    static const char thawed[] = "THAWED";
    char state[sizeof thawed - 1];
    ssize_t length = begins(directory, "freezer.state", state, sizeof state, problem);

    if (length > 0 && (length < (ssize_t)sizeof state || memcmp(state, thawed, sizeof state) != 0))
        return frozen(problem);
    return length >= 0;
}

/* cgroup.freeze of a cgroup says nothing of those above, and cgroup.events does not before the last of its processes
 * has stopped. The root has no such file. */
static bool thawed_above(const rollcall_login_v1_JobCgroup *cgroup, struct problem *problem)
{
    char directory[PATH_SIZE];
    size_t length = strlen(cgroup->directory);
    size_t path = strlen(cgroup->path);
    size_t mount = path < length ? length - path : length;
    ssize_t read = 1;

    memcpy(directory, cgroup->directory, length + 1);
    while (length >= mount && read == 1) {
        char freeze = '0';
        char *slash = strrchr(directory, '/');

        read = begins(directory, "cgroup.freeze", &freeze, 1, problem);
        if (freeze != '0')
            return frozen(problem);
        if (slash == NULL)
            break;
        *slash = '\0';
        length = (size_t)(slash - directory);
    }
    return read >= 0;
}

/* A new leaf is frozen from the moment that one above it is to freeze: it has no process that would have to stop first
 * (cgroup_create and cgroup_freeze of the kernel, since Linux 5.2). */
static bool thawed_leaf(const char *leaf, struct problem *problem)
{
    char events[EVENTS_MAX + 1];
    ssize_t length = begins(leaf, "cgroup.events", events, EVENTS_MAX, problem);

    if (length < 0)
        return false;
    events[length] = '\0';
    return strstr(events, "frozen 1") == NULL || frozen(problem);
}

static bool thawed_v2(const rollcall_login_v1_JobCgroup *cgroup, const char *name, struct problem *problem)
{
    char leaf[PATH_SIZE];

    return cgroup->no_leaf ? thawed_above(cgroup, problem)
                           : session_directory(cgroup, name, leaf, problem) && thawed_leaf(leaf, problem);
}

/* A process that enters a frozen cgroup stops there, and its user waits until the job is resumed. */
static bool thawed(const rollcall_login_v1_Job *job, const char *name, struct problem *problem)
{
    for (size_t i = 0; i < job->cgroups_count; i++) {
        const rollcall_login_v1_JobCgroup *cgroup = &job->cgroups[i];

        if (!(cgroup->hierarchy[0] == '\0' ? thawed_v2(cgroup, name, problem) : thawed_v1(cgroup->directory, problem)))
            return false;
    }
    return true;
}

/* Whether the text shows a session of that name in a cgroup of its job. */
static bool shown_in(const rollcall_login_v1_JobCgroup *cgroup, const char *name, const char *text)
{
    char wanted[sizeof((struct place *)0)->path];
    size_t length = 0;
    const char *path = membership_path(text, cgroup->hierarchy, &length);

    return path != NULL && session_path(cgroup, cgroup->path, name, wanted, sizeof wanted) && strlen(wanted) == length
           && memcmp(path, wanted, length) == 0;
}

/* The kernel's word, not that of a write that went well. */
static bool shown(const rollcall_login_v1_Job *job, const char *name, const char *after, struct problem *problem)
{
    for (size_t i = 0; i < job->cgroups_count; i++) {
        const rollcall_login_v1_JobCgroup *cgroup = &job->cgroups[i];

        if (!shown_in(cgroup, name, after)) {
            size_t length = 0;
            const char *path = membership_path(after, cgroup->hierarchy, &length);

            return problem_set(problem, "hierarchy \"%s\": the process is in %.*s, not in %.96s%s%s", cgroup->hierarchy,
                               (int)(length < 96 ? length : 96), path != NULL ? path : "", cgroup->path,
                               cgroup->no_leaf ? "" : "/", cgroup->no_leaf ? "" : name);
        }
    }
    return true;
}

/* The module takes no process out of a job. The agent knows which jobs there are, and whether this one's user may. */
static bool in_some_job(const char *cgroups)
{
    return strstr(cgroups, "/job_") != NULL || strstr(cgroups, "slurmstepd.scope/") != NULL;
}

static enum moving move_from(const rollcall_login_v1_Job *job, const char *name, const char *before,
                             struct place *place, struct problem *problem)
{
    char after[MEMBERSHIP_MAX];
    enum moving outcome;
    size_t moved = 0;

    if (!make_leaves(job, name, problem) || !thawed(job, name, problem)) {
        remove_leaves(job, name);
        return MOVE_NOT_BEGUN;
    }
    while (moved < job->cgroups_count && move_in(&job->cgroups[moved], name, problem))
        moved++;
    if (moved < job->cgroups_count || !membership_read(MEMBERSHIP_SELF, after, problem)
        || !shown(job, name, after, problem)) {
        outcome = undo(job, moved, before, problem);
        remove_leaves(job, name);
        return outcome;
    }
    snprintf(place->hierarchy, sizeof place->hierarchy, "%s", job->cgroups[0].hierarchy);
    session_path(&job->cgroups[0], job->cgroups[0].path, name, place->path, sizeof place->path);
    return MOVE_DONE;
}

static enum moving move(const rollcall_login_v1_Job *job, uint64_t session, bool again, struct place *place,
                        struct problem *problem)
{
    char before[MEMBERSHIP_MAX];
    char name[LEAF_MAX];

    if (job->cgroups_count == 0) {
        problem_set(problem, "the job's file names no cgroup");
        return MOVE_NOT_BEGUN;
    }
    if (!membership_read(MEMBERSHIP_SELF, before, problem))
        return MOVE_NOT_BEGUN;
    name_leaf(session, name);
    if (in_some_job(before) && !(again && shown_in(&job->cgroups[0], name, before))) {
        problem_set(problem, "this process is in a job already");
        return MOVE_NOT_BEGUN;
    }
    return move_from(job, name, before, place, problem);
}

enum moving move_into(const rollcall_login_v1_Job *job, uint64_t session, struct place *place, struct problem *problem)
{
    return move(job, session, false, place, problem);
}

enum moving move_again(const rollcall_login_v1_Job *job, uint64_t session, struct place *place, struct problem *problem)
{
    return move(job, session, true, place, problem);
}

/* Its path in a hierarchy, if that is the job's cgroup or one below. */
static const char *path_inside(const rollcall_login_v1_JobCgroup *cgroup, const char *text, size_t *length)
{
    size_t above = strlen(cgroup->path);
    const char *path = membership_path(text, cgroup->hierarchy, length);
    bool inside = path != NULL && *length >= above && memcmp(path, cgroup->path, above) == 0
                  && (*length == above || path[above] == '/');

    return inside ? path : NULL;
}

enum presence move_presence(const rollcall_login_v1_Job *job, struct place *place, struct problem *problem)
{
    char text[MEMBERSHIP_MAX];

    if (!membership_read(MEMBERSHIP_SELF, text, problem))
        return ABSENT;
    for (size_t i = 0; i < job->cgroups_count; i++) {
        size_t length = 0;
        const char *path = path_inside(&job->cgroups[i], text, &length);

        if (path == NULL || length >= sizeof place->path) {
            problem_set(problem, "this process is not in %.160s any more (hierarchy \"%s\")", job->cgroups[i].path,
                        job->cgroups[i].hierarchy);
            return i == 0 ? ABSENT : PRESENT_IN_PART;
        }
        if (i == 0) {
            snprintf(place->hierarchy, sizeof place->hierarchy, "%s", job->cgroups[i].hierarchy);
            memcpy(place->path, path, length);
            place->path[length] = '\0';
        }
    }
    return PRESENT_WHOLLY;
}
