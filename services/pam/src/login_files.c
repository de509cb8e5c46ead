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

static enum login_reading too_large(const char *name, struct problem *problem)
{
    problem_set(problem, "%.80s is larger than %d bytes", name, LOGIN_FILE_MAX);
    return LOGIN_TOO_LARGE;
}

static enum login_reading read_all(int fd, const char *name, uint8_t bytes[LOGIN_FILE_MAX], size_t *length,
                                   struct problem *problem)
{
    uint8_t more;
    ssize_t got;

    *length = 0;
    do {
        got = *length < LOGIN_FILE_MAX ? read(fd, bytes + *length, LOGIN_FILE_MAX - *length) : read(fd, &more, 1);
        if (got > 0 && *length == LOGIN_FILE_MAX)
            return too_large(name, problem);
        if (got > 0)
            *length += (size_t)got;
    } while (got > 0 || (got < 0 && errno == EINTR));
    if (got == 0)
        return LOGIN_READ;
    problem_set(problem, "cannot read %.80s: %m", name);
    return LOGIN_UNREADABLE;
}

static enum login_reading read_file(int directory, const char *name, uint8_t bytes[LOGIN_FILE_MAX], size_t *length,
                                    struct problem *problem)
{
    struct stat file;
    enum login_reading reading;
    int fd = openat(directory, name, OPENING);

    if (fd < 0)
        return opened_not(name, problem);
    reading = login_trusted(fd, S_IFREG, name, &file, problem);
    if (reading == LOGIN_READ && file.st_size > LOGIN_FILE_MAX)
        reading = too_large(name, problem);
    if (reading == LOGIN_READ)
        reading = read_all(fd, name, bytes, length, problem);
    close(fd);
    return reading;
}

bool login_boot_id(char boot_id[LOGIN_BOOT_ID_SIZE], struct problem *problem)
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

/* The directory itself; -1 and reading says why. */
static int open_directory(const char *path, enum login_reading *reading, struct problem *problem)
{
    struct stat file;
    int fd = open(path, OPENING | O_DIRECTORY);

    if (fd < 0) {
        *reading = opened_not(path, problem);
        return -1;
    }
    *reading = login_trusted(fd, S_IFDIR, path, &file, problem);
    if (*reading == LOGIN_READ)
        return fd;
    close(fd);
    return -1;
}

/* The agent holds a lock on the file as long as it lives: the kernel lets go of it at the process's end, whatever that
 * was. F_OFD_GETLK (fcntl(2)) does not wait, and sees locks of both kinds. */
static enum login_reading test_agent(int directory, bool *alive, struct problem *problem)
{
    static const char NAME[] = "agent.lock";
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct stat file;
    enum login_reading reading;
    int fd = openat(directory, NAME, OPENING);

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

static enum login_reading read_node(int directory, const char *boot_id, rollcall_login_v1_Node *node,
                                    struct problem *problem)
{
    uint8_t bytes[LOGIN_FILE_MAX];
    size_t length;
    enum login_reading reading = read_file(directory, "node", bytes, &length, problem);

    return reading == LOGIN_READ ? login_decode_node(bytes, length, boot_id, node, problem) : reading;
}

/* No file of the user's means something only where the files of others are. */
static enum login_reading no_user(int directory, struct problem *problem)
{
    struct stat users;

    if (call_fstatat(directory, "users", &users, AT_SYMLINK_NOFOLLOW) < 0) {
        problem_set(problem, "cannot stat users: %m");
        return LOGIN_MISSING;
    }
    if (S_ISDIR(users.st_mode))
        return LOGIN_READ;
    problem_set(problem, "users is not a directory");
    return LOGIN_NOT_REGULAR;
}

static enum login_reading read_user(int directory, const char *boot_id, uint32_t uid, struct login_facts *facts,
                                    struct problem *problem)
{
    uint8_t bytes[LOGIN_FILE_MAX];
    char name[32];
    size_t length;
    enum login_reading reading;

    snprintf(name, sizeof name, "users/%u", (unsigned)uid);
    reading = read_file(directory, name, bytes, &length, problem);
    facts->has_user = reading == LOGIN_READ;
    if (reading == LOGIN_READ)
        return login_decode_user(bytes, length, boot_id, uid, &facts->user, problem);
    return reading == LOGIN_MISSING ? no_user(directory, problem) : reading;
}

/* The agent first: an agent that is alive had written every file before it took the lock. */
enum login_reading login_read(const char *directory, uint32_t uid, struct login_facts *facts, struct problem *problem)
{
    char boot_id[LOGIN_BOOT_ID_SIZE];
    enum login_reading reading;
    int fd = open_directory(directory, &reading, problem);

    if (fd < 0)
        return reading;
    reading = login_boot_id(boot_id, problem) ? test_agent(fd, &facts->agent_alive, problem) : LOGIN_UNREADABLE;
    if (reading == LOGIN_READ)
        reading = read_node(fd, boot_id, &facts->node, problem);
    if (reading == LOGIN_READ)
        reading = read_user(fd, boot_id, uid, facts, problem);
    if (reading == LOGIN_READ)
        problem->text[0] = '\0'; /* of a file that may be missing */
    close(fd);
    return reading;
}

bool login_agent_is_away(const char *directory)
{
    struct problem problem;
    enum login_reading reading;
    bool alive = false;
    int fd = open_directory(directory, &reading, &problem);

    if (fd < 0)
        return false;
    reading = test_agent(fd, &alive, &problem);
    close(fd);
    return reading == LOGIN_READ && !alive;
}

enum login_reading login_read_node(const char *directory, rollcall_login_v1_Node *node, struct problem *problem)
{
    char boot_id[LOGIN_BOOT_ID_SIZE];
    enum login_reading reading;
    int fd = open_directory(directory, &reading, problem);

    if (fd < 0)
        return reading;
    reading = login_boot_id(boot_id, problem) ? read_node(fd, boot_id, node, problem) : LOGIN_UNREADABLE;
    close(fd);
    return reading;
}

enum login_reading login_read_job(const char *directory, uint32_t uid, uint64_t job_id, rollcall_login_v1_Job *job,
                                  struct problem *problem)
{
    uint8_t bytes[LOGIN_FILE_MAX];
    char boot_id[LOGIN_BOOT_ID_SIZE];
    char name[32];
    size_t length;
    enum login_reading reading;
    int fd = open_directory(directory, &reading, problem);

    if (fd < 0)
        return reading;
    snprintf(name, sizeof name, "jobs/%llu", (unsigned long long)job_id);
    reading = login_boot_id(boot_id, problem) ? read_file(fd, name, bytes, &length, problem) : LOGIN_UNREADABLE;
    if (reading == LOGIN_READ)
        reading = login_decode_job(bytes, length, boot_id, uid, job_id, job, problem);
    close(fd);
    return reading;
}
