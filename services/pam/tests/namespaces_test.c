/* Real namespaces, joined by children of this process. */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "namespaces.h"
#include "tap.h"

#define MOUNT rollcall_loginsocket_v1_NamespaceKind_NAMESPACE_KIND_MOUNT
#define NETWORK rollcall_loginsocket_v1_NamespaceKind_NAMESPACE_KIND_NETWORK
#define IPC rollcall_loginsocket_v1_NamespaceKind_NAMESPACE_KIND_IPC
#define PID rollcall_loginsocket_v1_NamespaceKind_NAMESPACE_KIND_PID
#define USER rollcall_loginsocket_v1_NamespaceKind_NAMESPACE_KIND_USER

static void must(int result, const char *what)
{
    if (result < 0) {
        perror(what);
        exit(1);
    }
}

/* A process in namespaces of its own. */
static pid_t hold(int flags)
{
    int ready[2];
    char sign;
    pid_t pid;

    must(pipe(ready), "pipe");
    pid = fork();
    must(pid, "fork");
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        must(unshare(flags), "unshare");
        must((int)write(ready[1], "!", 1), "write");
        pause();
        _exit(0);
    }
    close(ready[1]);
    must(read(ready[0], &sign, 1) == 1 ? 0 : -1, "holder");
    close(ready[0]);
    return pid;
}

static void let_go(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static int open_namespace(pid_t pid, const char *name)
{
    char path[64];
    int fd;

    snprintf(path, sizeof path, "/proc/%d/ns/%s", (int)pid, name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    must(fd, path);
    return fd;
}

static bool is_in(const char *name, int fd)
{
    char path[64];
    struct stat own;
    struct stat other;

    snprintf(path, sizeof path, "/proc/self/ns/%s", name);
    return stat(path, &own) == 0 && fstat(fd, &other) == 0 && own.st_ino == other.st_ino;
}

struct join {
    rollcall_loginsocket_v1_NamespaceKind kinds[2];
    size_t kind_count;
    int fds[2];
    size_t fd_count;
    const char *names[2]; /* those that it must be in afterwards, by their order; NULL: must not be in it */
    enum joining result;
    const char *problem;
};

/* In a child, since there is no way back. */
static void joins(const struct join *join, const char *what)
{
    int status;
    pid_t pid = fork();

    must(pid, "fork");
    if (pid == 0) {
        rollcall_loginsocket_v1_LoginReply reply = {.namespaces_count = (pb_size_t)join->kind_count};
        struct descriptors descriptors = {.count = join->fd_count};
        struct problem problem = {""};
        bool held = true;

        memcpy(reply.namespaces, join->kinds, sizeof join->kinds);
        memcpy(descriptors.fds, join->fds, sizeof join->fds);
        held = namespaces_join(&reply, &descriptors, &problem) == join->result;
        if (strstr(problem.text, join->problem) == NULL || (join->problem[0] == '\0' && problem.text[0] != '\0'))
            held = false;
        for (size_t i = 0; i < 2; i++) {
            if (join->names[i] != NULL && !is_in(join->names[i], join->fds[i]))
                held = false;
        }
        if (join->result == JOINING_NOT_BEGUN && join->fd_count > 0 && is_in("mnt", join->fds[0]))
            held = false;
        if (!held)
            fprintf(stdout, "# %s\n", problem.text);
        fflush(stdout);
        _exit(held ? 0 : 1);
    }
    must(waitpid(pid, &status, 0), "waitpid");
    tap(status == 0, "%s", what);
}

/* A process in a pid namespace cannot go back to the one above it: so the second of two fails. */
static void half_done(int mounts)
{
    int above = open_namespace(getpid(), "pid");
    int status;
    pid_t pid = fork();

    must(pid, "fork");
    if (pid == 0) {
        must(unshare(CLONE_NEWPID), "unshare");
        pid = fork();
        must(pid, "fork");
        if (pid == 0) {
            rollcall_loginsocket_v1_LoginReply reply = {.namespaces_count = 2, .namespaces = {MOUNT, PID}};
            struct descriptors descriptors = {.fds = {mounts, above}, .count = 2};
            struct problem problem = {""};

            _exit(namespaces_join(&reply, &descriptors, &problem) == JOINING_HALF_DONE
                          && strstr(problem.text, "cannot join namespace 2") != NULL
                      ? 0
                      : 1);
        }
        must(waitpid(pid, &status, 0), "waitpid");
        _exit(status == 0 ? 0 : 1);
    }
    must(waitpid(pid, &status, 0), "waitpid");
    tap(status == 0, "a second one that cannot be joined is told apart");
    close(above);
}

static void of_the_machine(void)
{
    pid_t holder = hold(CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWNET);
    int mounts = open_namespace(holder, "mnt");
    int ipc = open_namespace(holder, "ipc");
    int network = open_namespace(holder, "net");
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

    joins(&(struct join){{MOUNT}, 1, {mounts}, 1, {"mnt"}, JOINING_DONE, ""}, "a mount namespace is joined");
    joins(&(struct join){{IPC, MOUNT}, 2, {ipc, mounts}, 2, {"ipc", "mnt"}, JOINING_DONE, ""}, "two are, in order");
    joins(&(struct join){{NETWORK}, 1, {network}, 1, {"net"}, JOINING_DONE, ""}, "a network namespace is joined");
    joins(&(struct join){{MOUNT, IPC}, 2, {mounts, null}, 2, {NULL}, JOINING_NOT_BEGUN, "descriptor 2 is no namespace"},
          "with one that is no namespace none is joined");
    joins(&(struct join){{IPC}, 1, {mounts}, 1, {NULL}, JOINING_NOT_BEGUN, "descriptor 1 is no namespace of kind"},
          "one of another kind than is said is not joined");
    joins(&(struct join){{MOUNT}, 1, {mounts, ipc}, 2, {NULL}, JOINING_NOT_BEGUN, "1 namespaces were named and 2 came"},
          "more descriptors than kinds are refused");
    joins(&(struct join){{MOUNT, IPC}, 2, {mounts}, 1, {NULL}, JOINING_NOT_BEGUN, "2 namespaces were named and 1 came"},
          "fewer are, too");
    joins(&(struct join){{99}, 1, {mounts}, 1, {NULL}, JOINING_NOT_BEGUN, "kind 99, which is not joined"},
          "a kind of a later version is refused");
    half_done(mounts);
    close(mounts);
    close(ipc);
    close(network);
    close(null);
    let_go(holder);
}

static void of_a_user(void)
{
    pid_t holder = hold(CLONE_NEWUSER | CLONE_NEWNS);
    int mounts = open_namespace(holder, "mnt");
    int user = open_namespace(holder, "user");

    joins(
        &(struct join){
            {MOUNT}, 1, {mounts}, 1, {NULL}, JOINING_NOT_BEGUN, "namespace 1 belongs to another user namespace"},
        "a mount namespace that a user could arrange is not joined");
    joins(&(struct join){{USER}, 1, {user}, 1, {NULL}, JOINING_NOT_BEGUN, "kind 3, which is not joined"},
          "nor is a user namespace");
    close(mounts);
    close(user);
    let_go(holder);
}

int main(void)
{
    joins(&(struct join){{0}, 0, {0}, 0, {NULL}, JOINING_DONE, ""}, "nothing named, nothing joined");
    if (geteuid() == 0) {
        of_the_machine();
        of_a_user();
    } else {
        tap_say("not root: no namespace was joined");
    }
    return tap_done();
}
