#include "early_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <security/pam_modutil.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <time.h>
#include <unistd.h>

#include "boottime.h"
#include "system_calls.h"

#define SECOND 1000000000
#define OPENED (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

/* setfsuid(2) drops the capabilities that override permissions, and the list of groups is emptied. */
static bool become_user(const struct early_file *file, struct pam_modutil_privs *root)
{
    struct passwd user = {.pw_name = (char *)"", .pw_uid = file->uid, .pw_gid = file->gid};

    return pam_modutil_drop_priv(file->pam, root, &user) == 0;
}

/* Without a known start it is now, and each file is older. Between the readings of both clocks the process may wait:
   then the start is taken for earlier, so that a file of this login is never older. A file's time is from a coarse
   clock, which is up to its resolution behind (clock_gettime(2)). */
static int64_t start_of_process(void)
{
    struct timespec time;
    struct timespec coarse = {0, 0};
    uint64_t now;
    uint64_t start;

    clock_getres(CLOCK_REALTIME_COARSE, &coarse);
    clock_gettime(CLOCK_REALTIME, &time);
    now = boottime_now();
    start = now;
    boottime_of_start(BOOTTIME_SELF, &start, &(struct problem){""});
    return (int64_t)time.tv_sec * SECOND + time.tv_nsec - (int64_t)(now - start) - coarse.tv_nsec;
}

/* The length of the path without its last name; 0: it has none. */
static size_t length_above(const char *path, size_t length)
{
    while (length > 0 && path[length - 1] != '/')
        length--;
    return length;
}

void early_file_open(struct early_file *file, const char *value, bool is_ticket)
{
    const char *path = value == NULL ? "" : value;
    bool is_one_of_many = is_ticket && strncmp(path, "DIR::", 5) == 0;
    size_t length;
    size_t above;
    PAM_MODUTIL_DEF_PRIVS(root);

    file->outside = -1;
    file->is_ticket = is_ticket;
    if (is_one_of_many || (is_ticket && strncmp(path, "FILE:", 5) == 0))
        path += 5;
    else if (is_ticket && strncmp(path, "DIR:", 4) == 0)
        path += 4;
    length = strlen(path);
    if (is_one_of_many && length > 0)
        length = length_above(path, length) - 1;
    above = length_above(path, length);
    if (path[0] != '/' || above == 0 || above == length || above >= sizeof file->directory
        || length - above >= sizeof file->name || !become_user(file, &root))
        return;
    snprintf(file->directory, sizeof file->directory, "%.*s", (int)above, path);
    snprintf(file->name, sizeof file->name, "%.*s", (int)(length - above), path + above);
    file->process_start = start_of_process();
    file->outside = open(file->directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
    pam_modutil_regain_priv(file->pam, &root);
}

static bool is_copied(int from, int to, off_t size)
{
    off_t copied = 0;
    ssize_t sent;

    while ((sent = sendfile(to, from, NULL, EARLY_FILE_MAX)) > 0 && copied <= size)
        copied += sent;
    return sent == 0 && copied == size;
}

/* Under another name first: no process reads half of it, and a link of its name is replaced. */
static bool copy(int from, off_t size, int inside, const char *name)
{
    char unfinished[32];
    bool copied;
    int to;

    snprintf(unfinished, sizeof unfinished, ".rollcall-%d", (int)getpid());
    to = openat(inside, unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (to < 0)
        return false;
    copied = is_copied(from, to, size) && renameat(inside, unfinished, inside, name) == 0;
    if (!copied)
        unlinkat(inside, unfinished, 0);
    close(to);
    return copied;
}

/* A file that cannot be copied is removed all the same: nothing would remove it later. */
static bool move_file(const struct early_file *file, int from, int outside, int inside, const char *name,
                      const struct stat *status, struct problem *problem)
{
    bool moved = true;

    if (!S_ISREG(status->st_mode) || status->st_nlink != 1)
        return problem_set(problem, "%.128s is not a regular file with one name", name);
    if (status->st_size > EARLY_FILE_MAX)
        return problem_set(problem, "%.128s has more than %d bytes", name, EARLY_FILE_MAX);
    if (!copy(from, status->st_size, inside, name))
        moved = problem_set(problem, "%.128s cannot be copied: %m", name);
    if ((int64_t)status->st_mtim.tv_sec * SECOND + status->st_mtim.tv_nsec >= file->process_start)
        unlinkat(outside, name, 0);
    return moved;
}

static bool move_entry(const struct early_file *file, int outside, int inside, const char *name, bool may_be_directory,
                       struct problem *problem);

/* The names of a cache that is a directory: MIT Kerberos 1.10 to 1.21, src/lib/krb5/ccache/cc_dir.c. */
static bool is_of_cache(const char *name)
{
    return strcmp(name, "primary") == 0 || strncmp(name, "tkt", 3) == 0;
}

static bool move_cache(const struct early_file *file, int outside, int inside, struct problem *problem)
{
    char entries[4096] __attribute__((aligned(8)));
    ssize_t length = call_getdents64(outside, entries, sizeof entries);
    bool moved = length >= 0 || problem_set(problem, "%.128s cannot be read: %m", file->name);

    for (ssize_t at = 0; at < length;) {
        const struct dirent64 *entry = (const struct dirent64 *)(entries + at);

        if (is_of_cache(entry->d_name))
            moved = move_entry(file, outside, inside, entry->d_name, false, problem) && moved;
        at += entry->d_reclen;
    }
    if (length > 0 && call_getdents64(outside, entries, sizeof entries) > 0)
        moved = problem_set(problem, "%.128s has too many files", file->name);
    return moved;
}

static bool move_directory(const struct early_file *file, int from, int inside, struct problem *problem)
{
    bool moved;
    int to;

    if (mkdirat(inside, file->name, 0700) < 0 && errno != EEXIST)
        return problem_set(problem, "%.128s cannot be made: %m", file->name);
    if (!file->is_ticket)
        return true;
    to = openat(inside, file->name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (to < 0)
        return problem_set(problem, "%.128s cannot be opened: %m", file->name);
    moved = move_cache(file, from, to, problem);
    unlinkat(file->outside, file->name, AT_REMOVEDIR);
    close(to);
    return moved;
}

static bool move_entry(const struct early_file *file, int outside, int inside, const char *name, bool may_be_directory,
                       struct problem *problem)
{
    struct stat status;
    bool moved;
    int from = openat(outside, name, OPENED);

    if (from < 0)
        return errno == ENOENT || problem_set(problem, "%.128s cannot be opened: %m", name);
    if (call_fstat(from, &status) < 0 || status.st_uid != file->uid)
        moved = problem_set(problem, "%.128s is not the user's", name);
    else if (may_be_directory && S_ISDIR(status.st_mode))
        moved = move_directory(file, from, inside, problem);
    else
        moved = move_file(file, from, outside, inside, name, &status, problem);
    close(from);
    return moved;
}

static int open_inside(struct early_file *file)
{
    int inside = open(file->directory, O_PATH | O_DIRECTORY | O_CLOEXEC);

    for (char *slash = file->directory; inside < 0 && (slash = strchr(slash + 1, '/')) != NULL;) {
        *slash = '\0';
        mkdir(file->directory, 0700);
        *slash = '/';
    }
    return inside < 0 ? open(file->directory, O_PATH | O_DIRECTORY | O_CLOEXEC) : inside;
}

static bool move_in(struct early_file *file, struct problem *problem)
{
    int inside = open_inside(file);
    bool moved = true;

    if (inside < 0)
        return problem_set(problem, "%.128s cannot be made: %m", file->directory);
    if (!call_same_file(file->outside, inside) && (file->is_ticket || faccessat(inside, file->name, F_OK, 0) < 0))
        moved = move_entry(file, file->outside, inside, file->name, true, problem);
    close(inside);
    return moved;
}

bool early_file_move(struct early_file *file, struct problem *problem)
{
    bool moved = true;
    PAM_MODUTIL_DEF_PRIVS(root);

    if (file->outside < 0)
        return true;
    if (become_user(file, &root)) {
        moved = move_in(file, problem);
        pam_modutil_regain_priv(file->pam, &root);
    }
    close(file->outside);
    return moved;
}
