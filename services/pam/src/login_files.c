#include "login_files.h"

#include <errno.h>
#include <fcntl.h>
#include <pb_decode.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "system_calls.h"

#define BOOT_ID "/proc/sys/kernel/random/boot_id"

/* A FIFO or a device does not hold a login up: O_NONBLOCK. */
#define OPENING (O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

static enum login_reading opened_not(const char *name, struct problem *problem)
{
    problem_set(problem, "cannot open %.80s: %m", name);
    switch (errno) {
    case ENOENT:
        return LOGIN_MISSING;
    case ELOOP:   /* O_NOFOLLOW: a symbolic link */
    case ENOTDIR: /* the same of a directory */
    case ENXIO:   /* a socket */
        return LOGIN_NOT_REGULAR;
    default:
        return LOGIN_UNREADABLE;
    }
}

enum login_reading login_trusted(int fd, mode_t kind, const char *name, struct stat *file, struct problem *problem)
{
    if (call_fstat(fd, file) < 0) {
        problem_set(problem, "cannot stat %.80s: %m", name);
        return LOGIN_UNREADABLE;
    }
    if ((file->st_mode & S_IFMT) != kind) {
        problem_set(problem, "%.80s is no %s", name, kind == S_IFDIR ? "directory" : "regular file");
        return LOGIN_NOT_REGULAR;
    }
    if (file->st_uid != 0 && file->st_uid != geteuid()) {
        problem_set(problem, "%.80s belongs to uid %u, not to root", name, (unsigned)file->st_uid);
        return LOGIN_NOT_ROOTS;
    }
    if ((file->st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        problem_set(problem, "%.80s is writable by others: mode %04o", name, (unsigned)file->st_mode & 07777);
        return LOGIN_WRITABLE;
    }
    return LOGIN_READ;
}

/* Up to the size that it had when it was opened: the agent replaces files and does not write into them. */
static enum login_reading read_all(int fd, const char *name, uint8_t *bytes, size_t size, size_t *length,
                                   struct problem *problem)
{
    ssize_t got = 1;

    *length = 0;
    while (*length < size && got != 0) {
        got = read(fd, bytes + *length, size - *length);
        if (got < 0 && errno != EINTR) {
            problem_set(problem, "cannot read %.80s: %m", name);
            return LOGIN_UNREADABLE;
        }
        if (got > 0)
            *length += (size_t)got;
    }
    return LOGIN_READ;
}

/* Into the bytes of files. */
static enum login_reading read_file(struct login_files *files, const char *name, size_t *length,
                                    struct problem *problem)
{
    struct stat file;
    enum login_reading reading;
    int fd = openat(files->directory, name, OPENING);

    if (fd < 0)
        return opened_not(name, problem);
    reading = login_trusted(fd, S_IFREG, name, &file, problem);
    if (reading == LOGIN_READ && file.st_size > LOGIN_FILE_MAX) {
        problem_set(problem, "%.80s is larger than %d bytes", name, LOGIN_FILE_MAX);
        reading = LOGIN_TOO_LARGE;
    }
    if (reading == LOGIN_READ)
        reading = read_all(fd, name, files->bytes, (size_t)file.st_size, length, problem);
    close(fd);
    return reading;
}

static bool read_boot_id(char boot_id[LOGIN_BOOT_ID_SIZE], struct problem *problem)
{
    int fd = open(BOOT_ID, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, boot_id, LOGIN_BOOT_ID_SIZE);

    if (length < 0)
        problem_set(problem, "cannot read " BOOT_ID ": %m");
    else if (length != LOGIN_BOOT_ID_SIZE)
        problem_set(problem, BOOT_ID " has %zd bytes, not %d", length, LOGIN_BOOT_ID_SIZE);
    if (fd >= 0)
        close(fd);
    if (length != LOGIN_BOOT_ID_SIZE)
        return false;
    boot_id[LOGIN_BOOT_ID_SIZE - 1] = '\0';
    return true;
}

static enum login_reading decode(const char *kind, const uint8_t *bytes, size_t length, const pb_msgdesc_t *fields,
                                 void *message, struct problem *problem)
{
    pb_istream_t stream = pb_istream_from_buffer(bytes, length);

    if (pb_decode(&stream, fields, message))
        return LOGIN_READ;
    problem_set(problem, "the %s file is malformed: %s", kind, PB_GET_ERROR(&stream));
    return LOGIN_MALFORMED;
}

static enum login_reading current(const char *kind, uint32_t version, const char *of_boot, const char *boot_id,
                                  bool complete, struct problem *problem)
{
    if (version != LOGIN_VERSION) {
        problem_set(problem, "the %s file has version %u, not %d", kind, (unsigned)version, LOGIN_VERSION);
        return LOGIN_OTHER_VERSION;
    }
    if (strcmp(of_boot, boot_id) != 0) {
        problem_set(problem, "the %s file is from boot %.40s, not from %.40s", kind, of_boot, boot_id);
        return LOGIN_OTHER_BOOT;
    }
    if (!complete) {
        problem_set(problem, "the %s file is truncated", kind);
        return LOGIN_MALFORMED;
    }
    return LOGIN_READ;
}

enum login_reading login_decode_node(const uint8_t *bytes, size_t length, const char *boot_id,
                                     rollcall_login_v1_Node *node, struct problem *problem)
{
    enum login_reading reading = decode("node", bytes, length, rollcall_login_v1_Node_fields, node, problem);

    return reading == LOGIN_READ ? current("node", node->version, node->boot_id, boot_id, node->complete, problem)
                                 : reading;
}

enum login_reading login_decode_user(const uint8_t *bytes, size_t length, const char *boot_id, uint32_t uid,
                                     rollcall_login_v1_User *user, struct problem *problem)
{
    enum login_reading reading = decode("user", bytes, length, rollcall_login_v1_User_fields, user, problem);

    if (reading == LOGIN_READ)
        reading = current("user", user->version, user->boot_id, boot_id, user->complete, problem);
    if (reading != LOGIN_READ || user->uid == uid)
        return reading;
    problem_set(problem, "the user file is about uid %u, not %u", (unsigned)user->uid, (unsigned)uid);
    return LOGIN_OTHER_SUBJECT;
}

enum login_reading login_decode_job(const uint8_t *bytes, size_t length, const char *boot_id, uint32_t uid,
                                    uint64_t job_id, rollcall_login_v1_Job *job, struct problem *problem)
{
    enum login_reading reading = decode("job", bytes, length, rollcall_login_v1_Job_fields, job, problem);

    if (reading == LOGIN_READ)
        reading = current("job", job->version, job->boot_id, boot_id, job->complete, problem);
    if (reading != LOGIN_READ || (job->job_id == job_id && job->uid == uid))
        return reading;
    problem_set(problem, "the job file is about job %llu of uid %u, not job %llu of uid %u",
                (unsigned long long)job->job_id, (unsigned)job->uid, (unsigned long long)job_id, (unsigned)uid);
    return LOGIN_OTHER_SUBJECT;
}

enum login_reading login_open(struct login_files *files, const char *path, struct problem *problem)
{
    struct stat file;
    enum login_reading reading;

    files->directory = open(path, OPENING | O_DIRECTORY);
    if (files->directory < 0)
        return opened_not(path, problem);
    reading = login_trusted(files->directory, S_IFDIR, path, &file, problem);
    if (reading == LOGIN_READ && !read_boot_id(files->boot_id, problem))
        reading = LOGIN_UNREADABLE;
    if (reading != LOGIN_READ)
        login_close(files);
    return reading;
}

void login_close(const struct login_files *files)
{
    close(files->directory);
}

/* The agent holds a lock on the file as long as it lives: the kernel lets go of it at the process's end, whatever that
 * was. F_OFD_GETLK (fcntl(2)) does not wait, and sees locks of both kinds. */
static enum login_reading test_agent(const struct login_files *files, bool *alive, struct problem *problem)
{
    static const char NAME[] = "agent.lock";
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct stat file;
    enum login_reading reading;
    int fd = openat(files->directory, NAME, OPENING);

    *alive = false;
    if (fd < 0) {
        reading = opened_not(NAME, problem);
        return reading == LOGIN_MISSING ? LOGIN_READ : reading;
    }
    reading = login_trusted(fd, S_IFREG, NAME, &file, problem);
    if (reading == LOGIN_READ && fcntl(fd, F_OFD_GETLK, &lock) < 0) {
        problem_set(problem, "cannot test the lock of %s: %m", NAME);
        reading = LOGIN_UNREADABLE;
    }
    *alive = reading == LOGIN_READ && lock.l_type != F_UNLCK;
    close(fd);
    return reading;
}

enum login_reading login_read_node(struct login_files *files, rollcall_login_v1_Node *node, struct problem *problem)
{
    size_t length;
    enum login_reading reading = read_file(files, "node", &length, problem);

    return reading == LOGIN_READ ? login_decode_node(files->bytes, length, files->boot_id, node, problem) : reading;
}

/* No file of the user's means something only where the files of others are. */
static enum login_reading no_user(const struct login_files *files, struct problem *problem)
{
    struct stat users;

    if (call_fstatat(files->directory, "users", &users, AT_SYMLINK_NOFOLLOW) < 0) {
        problem_set(problem, "cannot stat users: %m");
        return LOGIN_MISSING;
    }
    if (S_ISDIR(users.st_mode))
        return LOGIN_READ;
    problem_set(problem, "users is not a directory");
    return LOGIN_NOT_REGULAR;
}

static enum login_reading read_user(struct login_files *files, uint32_t uid, struct login_facts *facts,
                                    struct problem *problem)
{
    char name[32];
    size_t length;
    enum login_reading reading;

    snprintf(name, sizeof name, "users/%u", (unsigned)uid);
    reading = read_file(files, name, &length, problem);
    facts->has_user = reading == LOGIN_READ;
    if (reading == LOGIN_READ)
        return login_decode_user(files->bytes, length, files->boot_id, uid, &facts->user, problem);
    return reading == LOGIN_MISSING ? no_user(files, problem) : reading;
}

/* The agent first: an agent that is alive had written every file before it took the lock. */
enum login_reading login_read(struct login_files *files, uint32_t uid, struct login_facts *facts,
                              struct problem *problem)
{
    enum login_reading reading = test_agent(files, &facts->agent_alive, problem);

    if (reading == LOGIN_READ)
        reading = login_read_node(files, &facts->node, problem);
    if (reading == LOGIN_READ)
        reading = read_user(files, uid, facts, problem);
    if (reading == LOGIN_READ)
        problem->text[0] = '\0'; /* of a file that may be missing */
    return reading;
}

bool login_agent_is_away(const struct login_files *files)
{
    struct problem problem;
    bool alive;

    return test_agent(files, &alive, &problem) == LOGIN_READ && !alive;
}

enum login_reading login_read_job(struct login_files *files, uint32_t uid, uint64_t job_id, rollcall_login_v1_Job *job,
                                  struct problem *problem)
{
    char name[32];
    size_t length;
    enum login_reading reading;

    snprintf(name, sizeof name, "jobs/%llu", (unsigned long long)job_id);
    reading = read_file(files, name, &length, problem);
    return reading == LOGIN_READ ? login_decode_job(files->bytes, length, files->boot_id, uid, job_id, job, problem)
                                 : reading;
}
