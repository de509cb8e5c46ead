/* Login files that are as they should be, and files that are not. */
#include "login_files.h"

#include <errno.h>
#include <fcntl.h>
#include <pb_encode.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

#define ALICE 2001
#define NOBODY 65534

static char directory[] = "/tmp/rollcall-login.XXXXXX";
static char boot[LOGIN_BOOT_ID_SIZE];
static uint8_t bytes[LOGIN_FILE_MAX + 2];
static size_t length;
static struct login_files files;
static struct login_facts facts;
static rollcall_login_v1_Node node;
static rollcall_login_v1_User user;
static rollcall_login_v1_Job job;

static void must(bool done, const char *what)
{
    if (!done) {
        perror(what);
        exit(1);
    }
}

static const char *path_of(const char *name)
{
    static char path[256];

    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static void remove_file(const char *name)
{
    must(unlink(path_of(name)) == 0 || errno == ENOENT, name);
}

static void put_bytes(const char *name)
{
    int fd;

    remove_file(name);
    fd = open(path_of(name), O_WRONLY | O_CREAT | O_EXCL, 0600);
    must(fd >= 0 && write(fd, bytes, length) == (ssize_t)length && close(fd) == 0, name);
}

static void put(const char *name, const pb_msgdesc_t *fields, const void *message)
{
    pb_ostream_t stream = pb_ostream_from_buffer(bytes, LOGIN_FILE_MAX);

    must(pb_encode(&stream, fields, message), name);
    length = stream.bytes_written;
    put_bytes(name);
}

static void put_node(void)
{
    node = (rollcall_login_v1_Node){
        .version = 1,
        .cluster = "c",
        .node = "node1",
        .provider = rollcall_login_v1_Provider_PROVIDER_ROLLCALL,
        .knows_all_jobs = true,
        .complete = true,
    };
    strcpy(node.boot_id, boot);
    put("node", rollcall_login_v1_Node_fields, &node);
}

static void fill_user(void)
{
    memset(&user, 0, sizeof user);
    user.version = 1;
    strcpy(user.boot_id, boot);
    user.uid = ALICE;
    user.complete = true;
    user.jobs_count = 1;
    user.jobs[0] = (rollcall_login_v1_UserJob){
        .job_id = 41, .state = rollcall_login_v1_JobState_JOB_STATE_OPEN, .started_at_ns = 5};
}

static void put_user(void)
{
    put("users/2001", rollcall_login_v1_User_fields, &user);
}

static void put_good_user(void)
{
    fill_user();
    put_user();
}

static void put_job(void)
{
    job = (rollcall_login_v1_Job){
        .version = 1,
        .job_id = 41,
        .uid = ALICE,
        .cgroups_count = 1,
        .cgroups = {{"", "/sys/fs/cgroup/rollcall.scope/job_41/step_extern/user",
                     "/rollcall.scope/job_41/step_extern/user", false}},
        .has_gid = true,
        .gid = 7,
        .complete = true,
    };
    strcpy(job.boot_id, boot);
    put("jobs/41", rollcall_login_v1_Job_fields, &job);
}

static enum login_reading read_from(const char *path, struct problem *problem)
{
    enum login_reading reading = login_open(&files, path, problem);

    if (reading != LOGIN_READ)
        return reading;
    reading = login_read(&files, ALICE, &facts, problem);
    login_close(&files);
    return reading;
}

static void reads(enum login_reading wanted, const char *what)
{
    struct problem problem = {""};
    enum login_reading reading = read_from(directory, &problem);

    if (!tap(reading == wanted && (reading == LOGIN_READ) == (problem.text[0] == '\0'), "%s", what))
        tap_say("reading %d: %s", (int)reading, problem.text);
}

static void good_files(void)
{
    reads(LOGIN_READ, "a node and a user without a file are read");
    tap(!facts.has_user && strcmp(facts.node.node, "node1") == 0, "no user has no file");
    put_good_user();
    reads(LOGIN_READ, "a user's file is read");
    tap(facts.has_user && facts.user.jobs_count == 1 && facts.user.jobs[0].job_id == 41, "its job is known");
}

static void full_files(void)
{
    fill_user();
    user.jobs_count = sizeof user.jobs / sizeof *user.jobs;
    for (pb_size_t i = 0; i < user.jobs_count; i++)
        user.jobs[i] = (rollcall_login_v1_UserJob){UINT32_MAX - i, rollcall_login_v1_JobState_JOB_STATE_SUSPENDED,
                                                   INT64_MAX, rollcall_login_v1_Ask_ASK_OUT_OF_BOUNDS};
    user.callers_count = sizeof user.callers / sizeof *user.callers;
    for (pb_size_t i = 0; i < user.callers_count; i++)
        user.callers[i] = (rollcall_login_v1_PendingCaller){
            true, {{16, {0xfd}}, UINT16_MAX, {16, {0xfd}}, UINT16_MAX}, UINT32_MAX, true, UINT64_MAX, UINT64_MAX};
    put_user();
    tap(length < LOGIN_FILE_MAX, "a user's file with every field at its bound fits: %zu bytes", length);
    reads(LOGIN_READ, "a user's file with every field at its bound is read");
    tap(facts.user.jobs_count == 512 && facts.user.callers_count == 64, "and is whole");
    put_good_user();
}

static void jobs(void)
{
    static rollcall_login_v1_Job found;
    struct problem problem = {""};

    must(login_open(&files, directory, &problem) == LOGIN_READ, problem.text);
    put_job();
    tap(login_read_job(&files, ALICE, 41, &found, &problem) == LOGIN_READ && found.gid == 7
            && strcmp(found.cgroups[0].path, "/rollcall.scope/job_41/step_extern/user") == 0,
        "a job's file is read");
    tap(login_read_job(&files, ALICE + 1, 41, &found, &problem) == LOGIN_OTHER_SUBJECT, "not as another user's");
    tap(login_read_job(&files, ALICE, 42, &found, &problem) == LOGIN_MISSING, "another job has no file");
    put("jobs/42", rollcall_login_v1_Job_fields, &job);
    tap(login_read_job(&files, ALICE, 42, &found, &problem) == LOGIN_OTHER_SUBJECT,
        "a file under another job's name is not believed");
    login_close(&files);
}

static void other_content(void)
{
    fill_user();
    user.version = 2;
    put_user();
    reads(LOGIN_OTHER_VERSION, "a file of another version is not believed");
    fill_user();
    user.boot_id[0] = user.boot_id[0] == '0' ? '1' : '0';
    put_user();
    reads(LOGIN_OTHER_BOOT, "nor one of another boot");
    fill_user();
    user.boot_id[0] = '\0';
    put_user();
    reads(LOGIN_OTHER_BOOT, "nor one of no boot");
    fill_user();
    user.uid++;
    put_user();
    reads(LOGIN_OTHER_SUBJECT, "nor one about another user");
    length = 0;
    put_bytes("users/2001");
    reads(LOGIN_OTHER_VERSION, "an empty file is not believed");
}

static void torn_content(void)
{
    int read = 0;

    put_good_user();
    for (length--; length > 0; length--) {
        struct problem problem = {""};

        put_bytes("users/2001");
        read += read_from(directory, &problem) == LOGIN_READ;
    }
    tap(read == 0, "no beginning of a file is believed");
    memset(bytes, 0xff, 300);
    length = 300;
    put_bytes("users/2001");
    reads(LOGIN_MALFORMED, "a file of ones is not believed");
    memset(bytes, 0, 300);
    put_bytes("users/2001");
    reads(LOGIN_MALFORMED, "a file of zeros is not believed");
    put_good_user();
}

/* One job more than there is room for. */
static void too_many(void)
{
    uint8_t message[] = {0x2a, 0x02, 0x08, 0x01};

    put_good_user();
    for (int i = 0; i < 512; i++) {
        memcpy(bytes + length, message, sizeof message);
        length += sizeof message;
    }
    put_bytes("users/2001");
    reads(LOGIN_MALFORMED, "a file with more jobs than there is room for is not believed");
    put_good_user();
}

static void other_files(void)
{
    remove_file("users/2001");
    must(symlink("2002", path_of("users/2001")) == 0, "symlink");
    reads(LOGIN_NOT_REGULAR, "a symbolic link is not followed");
    remove_file("users/2001");
    must(mkfifo(path_of("users/2001"), 0600) == 0, "mkfifo");
    reads(LOGIN_NOT_REGULAR, "a FIFO is not waited for");
    remove_file("users/2001");
    must(mkdir(path_of("users/2001"), 0700) == 0, "mkdir");
    reads(LOGIN_NOT_REGULAR, "a directory is no file");
    must(rmdir(path_of("users/2001")) == 0, "rmdir");
    put_good_user();
    must(chmod(path_of("users/2001"), 0620) == 0, "chmod");
    reads(LOGIN_WRITABLE, "a file that its group may write is not believed");
    must(chmod(path_of("users/2001"), 0602) == 0, "chmod");
    reads(LOGIN_WRITABLE, "nor one that others may write");
    put_good_user();
    must(truncate(path_of("users/2001"), LOGIN_FILE_MAX + 1) == 0, "truncate");
    reads(LOGIN_TOO_LARGE, "a file of more than 64 KiB is not read");
    put_good_user();
}

/* Only root can give a file away. */
static void other_owners(void)
{
    if (geteuid() != 0) {
        tap_say("not root: no file of another user was tried");
        return;
    }
    must(chown(path_of("users/2001"), NOBODY, NOBODY) == 0, "chown");
    reads(LOGIN_NOT_ROOTS, "a file that is not root's is not believed");
    put_good_user();
    must(chown(directory, NOBODY, NOBODY) == 0, "chown");
    reads(LOGIN_NOT_ROOTS, "nor any in a directory that is not root's");
    must(chown(directory, 0, 0) == 0, "chown");
}

static void other_directories(void)
{
    struct problem problem = {""};

    must(chmod(directory, 0770) == 0, "chmod");
    reads(LOGIN_WRITABLE, "a directory that others may write is not believed");
    must(chmod(directory, 0700) == 0, "chmod");
    tap(read_from("/tmp/rollcall-login.none", &problem) == LOGIN_MISSING, "a directory may not be there");
    must(rename(path_of("node"), "/tmp/rollcall-login.node") == 0, "rename");
    reads(LOGIN_MISSING, "without a node's file nothing is believed");
    must(rename("/tmp/rollcall-login.node", path_of("node")) == 0, "rename");
    reads(LOGIN_READ, "with it, it is");
}

static void missing_users(void)
{
    remove_file("users/2001");
    must(rmdir(path_of("users")) == 0, "rmdir");
    reads(LOGIN_MISSING, "where users have no directory, a missing file says nothing");
    must(mkdir(path_of("users"), 0700) == 0, "mkdir");
}

/* A process of its own: the lock that a test tests of itself would be its own. */
static void agents(void)
{
    int told[2];
    char byte;
    pid_t child;
    bool alive;

    reads(LOGIN_READ, "without a lock's file there is no agent");
    tap(!facts.agent_alive, "it is away");
    length = 0;
    put_bytes("agent.lock");
    reads(LOGIN_READ, "a lock that nobody holds is no agent");
    tap(!facts.agent_alive, "it is away");
    must(pipe(told) == 0, "pipe");
    child = fork();
    must(child >= 0, "fork");
    if (child == 0) {
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        int fd = open(path_of("agent.lock"), O_RDWR);

        if (fcntl(fd, F_SETLK, &lock) < 0 || write(told[1], "x", 1) != 1)
            _exit(1);
        pause();
        _exit(0);
    }
    must(read(told[0], &byte, 1) == 1, "the child's lock");
    reads(LOGIN_READ, "a lock that is held is an agent");
    alive = facts.agent_alive;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    tap(alive, "it is alive");
    reads(LOGIN_READ, "a lock of a process that was killed is none");
    tap(!facts.agent_alive, "it is away");
    remove_file("agent.lock");
    must(symlink("node", path_of("agent.lock")) == 0, "symlink");
    reads(LOGIN_NOT_REGULAR, "a lock's file that is a link is not believed");
    remove_file("agent.lock");
}

static void clean_up(void)
{
    remove_file("users/2001");
    remove_file("jobs/41");
    remove_file("jobs/42");
    remove_file("node");
    must(rmdir(path_of("users")) == 0 && rmdir(path_of("jobs")) == 0 && rmdir(directory) == 0, "rmdir");
}

int main(void)
{
    struct problem problem = {""};

    must(mkdtemp(directory) != NULL, "mkdtemp");
    must(mkdir(path_of("users"), 0700) == 0 && mkdir(path_of("jobs"), 0700) == 0, "mkdir");
    must(login_open(&files, directory, &problem) == LOGIN_READ, problem.text);
    strcpy(boot, files.boot_id);
    login_close(&files);
    put_node();
    good_files();
    full_files();
    jobs();
    other_content();
    torn_content();
    too_many();
    other_files();
    other_owners();
    other_directories();
    missing_users();
    agents();
    clean_up();
    return tap_done();
}
