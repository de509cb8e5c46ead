/* Moves in real hierarchies: cgroup2 and v1, whichever are mounted. As root; other users see that nothing is moved. */
#include "move.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "membership.h"
#include "tap.h"

#define SESSION 4294967297ULL

static char own[64];

/* What the child that moved saw. */
struct seen {
    enum moving outcome;
    struct place place;
    struct problem problem;
    enum presence presence;
    enum moving second;
    char cgroups[MEMBERSHIP_MAX];
};

/* A cgroup of this test's in a hierarchy; false: that is not mounted here. A cpuset has no CPU. */
static bool add_bare(rollcall_login_v1_Job *job, const char *hierarchy, const char *mount)
{
    rollcall_login_v1_JobCgroup *cgroup = &job->cgroups[job->cgroups_count];

    snprintf(cgroup->hierarchy, sizeof cgroup->hierarchy, "%s", hierarchy);
    snprintf(cgroup->directory, sizeof cgroup->directory, "%s/%s", mount, own);
    snprintf(cgroup->path, sizeof cgroup->path, "/%s", own);
    if (mkdir(cgroup->directory, 0755) < 0)
        return false;
    job->cgroups_count++;
    return true;
}

static bool add(rollcall_login_v1_Job *job, const char *hierarchy, const char *mount)
{
    const rollcall_login_v1_JobCgroup *cgroup = &job->cgroups[job->cgroups_count];
    char set[2][600];

    if (!add_bare(job, hierarchy, mount))
        return false;
    if (strcmp(hierarchy, "cpuset") != 0)
        return true;
    snprintf(set[0], sizeof set[0], "cat %s/cpuset.cpus > %s/cpuset.cpus", mount, cgroup->directory);
    snprintf(set[1], sizeof set[1], "cat %s/cpuset.mems > %s/cpuset.mems", mount, cgroup->directory);
    return system(set[0]) == 0 && system(set[1]) == 0;
}

static bool add_v2(rollcall_login_v1_Job *job)
{
    return add(job, "", "/sys/fs/cgroup/unified") || add(job, "", "/sys/fs/cgroup");
}

static void move_once(const rollcall_login_v1_Job *job, struct seen *seen)
{
    seen->outcome = move_into(job, SESSION, &seen->place, &seen->problem);
}

/* In a child of its own, whose end empties the leaf. */
static struct seen in_child(const rollcall_login_v1_Job *job, void (*act)(const rollcall_login_v1_Job *, struct seen *))
{
    struct seen seen = {.outcome = MOVE_DONE};
    struct problem problem = {""};
    int back[2];
    pid_t child;

    if (pipe(back) < 0 || (child = fork()) < 0) {
        perror("fork");
        exit(1);
    }
    if (child == 0) {
        act(job, &seen);
        if (!membership_read(MEMBERSHIP_SELF, seen.cgroups, &problem)
            || write(back[1], &seen, sizeof seen) != (ssize_t)sizeof seen)
            _exit(1);
        _exit(0);
    }
    close(back[1]);
    for (size_t got = 0; got < sizeof seen;) {
        ssize_t length = read(back[0], (char *)&seen + got, sizeof seen - got);

        if (length <= 0)
            break;
        got += (size_t)length;
    }
    close(back[0]);
    waitpid(child, NULL, 0);
    return seen;
}

static struct seen moved(const rollcall_login_v1_Job *job)
{
    return in_child(job, move_once);
}

static bool is_in(const struct seen *seen, const char *hierarchy, const char *path)
{
    size_t length = 0;
    const char *found = membership_path(seen->cgroups, hierarchy, &length);

    return found != NULL && strlen(path) == length && memcmp(found, path, length) == 0;
}

/* Where this process, and so its children, began. */
static bool is_where_it_was(const struct seen *seen)
{
    char here[MEMBERSHIP_MAX];
    struct problem problem = {""};

    return membership_read(MEMBERSHIP_SELF, here, &problem) && strcmp(here, seen->cgroups) == 0;
}

static void removed(const rollcall_login_v1_Job *job)
{
    for (size_t i = 0; i < job->cgroups_count; i++) {
        char leaf[600];

        snprintf(leaf, sizeof leaf, "%s/session_%llu", job->cgroups[i].directory, SESSION);
        rmdir(leaf);
        rmdir(job->cgroups[i].directory);
    }
}

static void into_every_hierarchy(void)
{
    rollcall_login_v1_Job job = rollcall_login_v1_Job_init_zero;
    char wanted[600];
    struct seen seen;
    bool v2 = add_v2(&job);

    add(&job, "freezer", "/sys/fs/cgroup/freezer");
    add(&job, "cpuset", "/sys/fs/cgroup/cpuset");
    add(&job, "pids", "/sys/fs/cgroup/pids");
    tap(v2, "cgroup2 is mounted");
    seen = moved(&job);
    if (!tap(seen.outcome == MOVE_DONE, "a process moves itself in %u hierarchies", (unsigned)job.cgroups_count))
        tap_say("%s", seen.problem.text);
    snprintf(wanted, sizeof wanted, "/%s/session_%llu", own, SESSION);
    for (size_t i = 0; i < job.cgroups_count; i++)
        tap(is_in(&seen, job.cgroups[i].hierarchy, wanted), "the kernel shows it in \"%s\"", job.cgroups[i].hierarchy);
    tap(strcmp(seen.place.path, wanted) == 0 && strcmp(seen.place.hierarchy, "") == 0, "it is told where it is");
    seen = moved(&job);
    tap(seen.outcome == MOVE_DONE, "a leaf that is there already takes it, too");
    removed(&job);
}

static void put(const char *directory, const char *name, const char *text)
{
    char path[600];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", directory, name);
    file = fopen(path, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

/* As systemd does with a session on v1: out of the hierarchies of its own controllers. */
static void leave_the_last(const rollcall_login_v1_Job *job, struct seen *seen)
{
    const char *hierarchy = job->cgroups[job->cgroups_count - 1].hierarchy;
    char mount[600];

    move_once(job, seen);
    snprintf(mount, sizeof mount, "/sys/fs/cgroup/%s", hierarchy);
    put(mount, "tasks", "0");
    seen->presence = move_presence(job, &seen->place, &seen->problem);
}

static void leave_and_come_again(const rollcall_login_v1_Job *job, struct seen *seen)
{
    leave_the_last(job, seen);
    seen->second = move_into(job, SESSION, &seen->place, &seen->problem);
    seen->outcome = move_again(job, SESSION, &seen->place, &seen->problem);
    seen->presence = move_presence(job, &seen->place, &seen->problem);
}

static void leave_and_come_to_another(const rollcall_login_v1_Job *job, struct seen *seen)
{
    leave_the_last(job, seen);
    seen->outcome = move_again(job, SESSION + 1, &seen->place, &seen->problem);
}

static void into_what_it_has_left(void)
{
    rollcall_login_v1_Job job = rollcall_login_v1_Job_init_zero;
    char wanted[600];
    struct seen seen;

    if (!tap(add(&job, "freezer", "/sys/fs/cgroup/freezer") && add(&job, "pids", "/sys/fs/cgroup/pids"),
             "two hierarchies of v1 are mounted"))
        return;
    snprintf(wanted, sizeof wanted, "/%s/session_%llu", own, SESSION);
    seen = in_child(&job, leave_the_last);
    tap(seen.presence == PRESENT_IN_PART && strcmp(seen.place.path, wanted) == 0
            && strstr(seen.problem.text, "hierarchy \"pids\"") != NULL,
        "a process that left one hierarchy is in a part of its job, and that one is named");
    seen = in_child(&job, leave_and_come_again);
    tap(seen.second == MOVE_NOT_BEGUN, "another login may not begin there");
    if (!tap(seen.outcome == MOVE_DONE && seen.presence == PRESENT_WHOLLY && is_in(&seen, "freezer", wanted)
                 && is_in(&seen, "pids", wanted),
             "its own comes again to its leaf in each"))
        tap_say("%s", seen.problem.text);
    seen = in_child(&job, leave_and_come_to_another);
    tap(seen.outcome == MOVE_NOT_BEGUN && is_in(&seen, "freezer", wanted), "but to no other session's");
    job.cgroups[0].path[1] = 'x';
    seen = in_child(&job, leave_the_last);
    tap(seen.presence == ABSENT, "one that is not where the job is known by is absent");
    job.cgroups[0].path[1] = own[0];
    removed(&job);
}

static void what_fails_is_undone(void)
{
    rollcall_login_v1_Job job = rollcall_login_v1_Job_init_zero;
    char leaf[700];
    struct seen seen;

    add_v2(&job);
    job.cgroups[job.cgroups_count] = job.cgroups[0];
    strcat(job.cgroups[job.cgroups_count].directory, "/gone");
    job.cgroups_count++;
    seen = moved(&job);
    tap(seen.outcome == MOVE_NOT_BEGUN && strstr(seen.problem.text, "/gone/session_") != NULL,
        "a cgroup that is gone is named");
    tap(is_where_it_was(&seen), "and the process is where it was");
    job.cgroups_count--;
    add_bare(&job, "cpuset", "/sys/fs/cgroup/cpuset");
    seen = moved(&job);
    snprintf(leaf, sizeof leaf, "%s/session_%llu", job.cgroups[0].directory, SESSION);
    tap(seen.outcome == MOVE_NOT_BEGUN && is_where_it_was(&seen) && access(leaf, F_OK) < 0,
        "a cpuset without a CPU takes nobody, and no leaf is left");
    snprintf(leaf, sizeof leaf, "%s", job.cgroups[--job.cgroups_count].directory);
    rmdir(leaf);
    snprintf(job.cgroups[0].path, sizeof job.cgroups[0].path, "/elsewhere");
    seen = moved(&job);
    tap(seen.outcome == MOVE_HALF_DONE && strstr(seen.problem.text, "not moved back") != NULL,
        "a file that does not say where it is: what is moved stays, and that is said");
    removed(&job);
}

static void into_the_directory_itself(void)
{
    rollcall_login_v1_Job job = rollcall_login_v1_Job_init_zero;
    char wanted[600];
    char leaf[700];
    struct seen seen;

    add_v2(&job);
    add(&job, "freezer", "/sys/fs/cgroup/freezer");
    add(&job, "cpuset", "/sys/fs/cgroup/cpuset");
    for (size_t i = 0; i < job.cgroups_count; i++)
        job.cgroups[i].no_leaf = true;
    seen = moved(&job);
    if (!tap(seen.outcome == MOVE_DONE, "a process moves itself where no leaf is to be"))
        tap_say("%s", seen.problem.text);
    snprintf(wanted, sizeof wanted, "/%s", own);
    for (size_t i = 0; i < job.cgroups_count; i++) {
        snprintf(leaf, sizeof leaf, "%s/session_%llu", job.cgroups[i].directory, SESSION);
        tap(is_in(&seen, job.cgroups[i].hierarchy, wanted) && access(leaf, F_OK) < 0,
            "the kernel shows it there in \"%s\", and nothing was made", job.cgroups[i].hierarchy);
    }
    tap(strcmp(seen.place.path, wanted) == 0, "it is told where it is");
    snprintf(job.cgroups[0].path, sizeof job.cgroups[0].path, "/elsewhere");
    seen = moved(&job);
    tap(seen.outcome == MOVE_HALF_DONE && strstr(seen.problem.text, "not in /elsewhere;") != NULL,
        "a file that does not say where it is, is found out");
    snprintf(job.cgroups[0].path, sizeof job.cgroups[0].path, "/%s", own);
    strcat(job.cgroups[job.cgroups_count - 1].directory, "/gone");
    seen = moved(&job);
    tap(seen.outcome == MOVE_NOT_BEGUN && is_where_it_was(&seen), "one that is gone leaves it where it was");
    *strrchr(job.cgroups[job.cgroups_count - 1].directory, '/') = '\0';
    removed(&job);
}

static bool is_kept_out(const rollcall_login_v1_Job *job)
{
    char leaf[600];
    struct seen seen = moved(job);

    snprintf(leaf, sizeof leaf, "%s/session_%llu", job->cgroups[0].directory, SESSION);
    return seen.outcome == MOVE_NOT_BEGUN && strcmp(seen.problem.text, "the job is frozen") == 0
           && is_where_it_was(&seen) && access(leaf, F_OK) < 0;
}

/* The file names a cgroup below the one that is frozen. */
static void not_into(rollcall_login_v1_Job *job, const char *file, const char *freeze, const char *thaw)
{
    rollcall_login_v1_JobCgroup *cgroup = &job->cgroups[0];
    char above[sizeof cgroup->directory];
    struct seen seen;

    strcpy(above, cgroup->directory);
    put(above, file, freeze);
    tap(is_kept_out(job), "nothing enters a cgroup that is frozen by %s, and no leaf is left", file);
    cgroup->no_leaf = true;
    tap(is_kept_out(job), "nor where no leaf is to be");
    strcat(cgroup->directory, "/below");
    strcat(cgroup->path, "/below");
    if (mkdir(cgroup->directory, 0755) < 0)
        perror(cgroup->directory);
    tap(is_kept_out(job), "nor a cgroup below it where no leaf is to be");
    cgroup->no_leaf = false;
    tap(is_kept_out(job), "nor a leaf there");
    put(above, file, thaw);
    seen = moved(job);
    if (!tap(seen.outcome == MOVE_DONE, "once it is thawed, a process enters"))
        tap_say("%s", seen.problem.text);
    removed(job);
    rmdir(above);
}

static void not_while_frozen(void)
{
    rollcall_login_v1_Job v1 = rollcall_login_v1_Job_init_zero;
    rollcall_login_v1_Job v2 = rollcall_login_v1_Job_init_zero;

    if (add(&v1, "freezer", "/sys/fs/cgroup/freezer"))
        not_into(&v1, "freezer.state", "FROZEN", "THAWED");
    if (add_v2(&v2))
        not_into(&v2, "cgroup.freeze", "1", "0");
}

static void not_where_that_cannot_be_read(void)
{
    rollcall_login_v1_Job job = rollcall_login_v1_Job_init_zero;
    char directory[] = "/tmp/rollcall-move.XXXXXX";
    char leaf[sizeof directory + 32];
    char files[2][sizeof leaf + 16];
    char words[sizeof files + 48];

    if (mkdtemp(directory) == NULL)
        perror(directory);
    snprintf(leaf, sizeof leaf, "%s/session_%llu", directory, SESSION);
    snprintf(files[0], sizeof files[0], "%s/cgroup.events", leaf);
    snprintf(files[1], sizeof files[1], "%s/cgroup.freeze", directory);
    if (mkdir(leaf, 0700) < 0 || mkdir(files[0], 0700) < 0 || mkdir(files[1], 0700) < 0)
        perror(directory);
    job.cgroups_count = 1;
    strcpy(job.cgroups[0].directory, directory);
    strcpy(job.cgroups[0].path, strrchr(directory, '/'));
    for (int i = 0; i < 2; i++) {
        struct seen seen;

        job.cgroups[0].no_leaf = i == 1;
        snprintf(words, sizeof words, "cannot read %s: Is a directory", files[i]);
        seen = moved(&job);
        tap(seen.outcome == MOVE_NOT_BEGUN && strcmp(seen.problem.text, words) == 0 && is_where_it_was(&seen),
            "nothing enters where it cannot be read whether that is frozen: %s", words);
    }
    rmdir(files[0]);
    rmdir(files[1]);
    rmdir(leaf);
    rmdir(directory);
}

static void without_a_cgroup(void)
{
    rollcall_login_v1_Job job = rollcall_login_v1_Job_init_zero;
    struct seen seen = moved(&job);

    tap(seen.outcome == MOVE_NOT_BEGUN && seen.problem.text[0] != '\0', "a job without cgroups takes nothing");
    tap(is_where_it_was(&seen), "and nothing is moved");
}

static void numbers(void)
{
    uint64_t first = move_session(1, 0);
    uint64_t last = move_session((1 << 22) - 1, 7ULL * 365 * 24 * 3600 * 1000000000ULL);

    tap(first > 1ULL << 32, "a session's number is none of the agent's");
    tap(last < 1000000000000000000ULL, "after seven years it has 18 digits");
    tap(move_session(5, 10000000) != move_session(6, 10000000)
            && move_session(5, 10000000) != move_session(5, 20000000),
        "two processes have two numbers");
}

int main(void)
{
    snprintf(own, sizeof own, "job_rollcall-move-test-%d", (int)getpid());
    numbers();
    without_a_cgroup();
    if (geteuid() == 0) {
        into_every_hierarchy();
        into_what_it_has_left();
        what_fails_is_undone();
        into_the_directory_itself();
        not_while_frozen();
        not_where_that_cannot_be_read();
    }
    return tap_done();
}
