/* rollcall-namespaces, and what is there afterwards. */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/nsfs.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "play.h"
#include "scene.h"
#include "tap.h"

#define OWNER 54321
#define WORDS(...) ((const char *const[]){program, "create", "--mount", __VA_ARGS__, NULL})

static const char *program;

/* Up to "made"; the number it gives. */
static pid_t begin(struct play *play, const char *const *words)
{
    int pid = 0;

    play_begin(play, 0, words);
    if (sscanf(play_hear(play), "made %d", &pid) != 1 || pid <= 1) {
        play_end(play);
        tap(false, "made is said, not \"%s\": %s", play->said, play->complaint);
        exit(tap_done());
    }
    return pid;
}

static bool go(struct play *play)
{
    play_say(play, "go\n");
    play_hear(play);
    play_end(play);
    return strcmp(play->said, "ready") == 0 && play->status == 0;
}

static void map(pid_t pid, const char *users, const char *groups)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/uid_map", (int)pid);
    tap(scene_write(path, users), "the map of users is written: %s", users);
    snprintf(path, sizeof path, "/proc/%d/gid_map", (int)pid);
    tap(scene_write(path, groups), "the map of groups is written: %s", groups);
}

static void end(pid_t pid)
{
    kill(pid, SIGKILL);
    tap(await_gone(pid) && scene_others() == 0, "killed, it leaves no process");
}

static bool has(pid_t pid, const char *file, const char *text)
{
    char path[64];
    char content[4096];

    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
    return scene_read(path, content, sizeof content) && strstr(content, text) != NULL;
}

static bool leads_to(pid_t pid, const char *file, const char *to)
{
    char path[64];
    char content[64] = "";

    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
    return readlink(path, content, sizeof content - 1) > 0 && strcmp(content, to) == 0;
}

static int entries(const char *path)
{
    DIR *all = opendir(path);
    struct dirent *entry;
    int count = 0;

    if (all == NULL)
        return -1;
    while ((entry = readdir(all)) != NULL)
        count += entry->d_name[0] >= '0' && entry->d_name[0] <= '9';
    closedir(all);
    return count;
}

/* ---- what is played inside ---- */

static int sees_its_own_processes_alone(void)
{
    return entries("/proc") == 2 && getpid() != 1 && has(1, "comm", "rollcall:42") ? 0 : 1;
}

static int has_proc_with_flags(void)
{
    char mounts[16384];

    return scene_read("/proc/self/mounts", mounts, sizeof mounts)
                   && strstr(mounts, "proc /proc proc rw,nosuid,nodev,noexec")
               ? 0
               : 1;
}

static int talks_to_itself(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    int caller = socket(AF_INET, SOCK_STREAM, 0);

    return bind(listener, (struct sockaddr *)&address, size) == 0 && listen(listener, 1) == 0
                   && getsockname(listener, (struct sockaddr *)&address, &size) == 0
                   && connect(caller, (struct sockaddr *)&address, size) == 0
               ? 0
               : 1;
}

/* A grandchild without a parent ends as soon as this end of the pipe is closed. */
static int leaves_orphans(void)
{
    int hold[2];
    pid_t orphans[20];
    pid_t parent;
    int told[2];

    must(pipe(hold), "pipe");
    must(pipe(told), "pipe");
    parent = fork();
    must(parent, "fork");
    if (parent == 0) {
        for (size_t i = 0; i < 20; i++) {
            pid_t pid = fork();

            if (pid == 0) {
                char letter;

                close(hold[1]);
                _exit(read(hold[0], &letter, 1) == 0 ? 0 : 1);
            }
            must((int)write(told[1], &pid, sizeof pid), "write");
        }
        _exit(0);
    }
    waitpid(parent, NULL, 0);
    for (size_t i = 0; i < 20; i++)
        must(read(told[0], &orphans[i], sizeof orphans[i]) == sizeof orphans[i] ? 0 : -1, "read");
    if (!has(orphans[0], "status", "PPid:\t1\n"))
        return 1;
    close(hold[1]);
    for (size_t i = 0; i < 20; i++) {
        if (!await_gone(orphans[i]))
            return 2;
    }
    return 0;
}

static int cannot_end_process_one(void)
{
    for (int number = 1; number <= SIGRTMAX; number++) {
        if (number != 32 && number != 33)
            kill(1, number);
    }
    return has(1, "status", "State:\tS") || has(1, "status", "State:\tR") ? 0 : 1;
}

static const char *const JOB[] = {"pid", "mnt", NULL};
static const char *const NET[] = {"net", NULL};

/* ---- the tests ---- */

static void namespaces_differ(pid_t pid, ino_t mounts)
{
    static const char *const NEW[] = {"pid", "ipc", "uts", "net", "cgroup"};

    for (size_t i = 0; i < 5; i++)
        tap(scene_inode(pid, NEW[i]) != 0 && scene_inode(pid, NEW[i]) != scene_inode(getpid(), NEW[i]),
            "the %s namespace is another one", NEW[i]);
    tap(scene_inode(pid, "mnt") == mounts, "the mount namespace is the one that was named");
    tap(scene_inode(pid, "user") == scene_inode(getpid(), "user"), "the user namespace is the node's");
}

static void resident_is_tidy(pid_t pid)
{
    char fds[64];

    snprintf(fds, sizeof fds, "/proc/%d/fd", (int)pid);
    tap(entries(fds) == 3 && leads_to(pid, "fd/0", "/dev/null") && leads_to(pid, "fd/1", "/dev/null")
            && leads_to(pid, "fd/2", "/dev/null"),
        "it has /dev/null three times, and no other descriptor");
    tap(getsid(pid) == pid, "it leads a session of its own");
    tap(leads_to(pid, "cwd", "/"), "its working directory is /");
    tap(has(pid, "status", "Umask:\t0077\n"), "its umask is 077");
    tap(has(pid, "comm", "rollcall:42\n") && has(pid, "cmdline", "rollcall:42") && !has(pid, "cmdline", "create"),
        "its name is the title");
    tap(has(pid, "status", "CapPrm:\t0000000000000000\nCapEff:\t0000000000000000\n")
            && has(pid, "status", "NoNewPrivs:\t1\n"),
        "it has no capabilities, and gets none");
}

static bool may_spare_from_oom(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

    return syscall(SYS_capget, &header, data) == 0 && (data[0].effective & (1U << CAP_SYS_RESOURCE)) != 0;
}

static void spared_from_oom(const struct play *play, pid_t pid)
{
    if (may_spare_from_oom())
        tap(has(pid, "oom_score_adj", "-999\n") && play->complaint[0] == '\0', "its oom_score_adj is -999");
    else
        tap(strstr(play->complaint, "rollcall-namespaces: note: cannot write -999 to /proc/") != NULL
                && strstr(play->complaint, "Permission denied\n") != NULL,
            "without CAP_SYS_RESOURCE there is a note: %s", play_complaint(play));
}

static int pause_inside(void)
{
    pause();
    return 0;
}

static void killed_with_it(pid_t pid)
{
    int status;
    pid_t child = fork();

    must(child, "fork");
    if (child == 0) {
        int pids = scene_open(pid, "pid");
        pid_t inside;

        must(setns(pids, 0), "setns");
        inside = fork();
        must(inside, "fork");
        if (inside == 0)
            _exit(pause_inside());
        kill(pid, SIGKILL);
        must(waitpid(inside, &status, 0), "waitpid");
        _exit(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? 0 : 1);
    }
    tap(await_end(child, 5000) == 0, "SIGKILL of it kills all in its pid namespace");
    end(pid);
}

static void all_kinds(void)
{
    struct play play;
    const char *mounts = scene_mounts(NULL);
    struct stat found;
    pid_t pid = begin(&play, WORDS(mounts, "--pid", "--ipc", "--uts", "--net", "--cgroup", "--name", "rollcall:42"));

    stat(mounts, &found);
    tap(has(pid, "status", "NSpid:") && kill(pid, 0) == 0, "made is said with the number of a process");
    namespaces_differ(pid, found.st_ino);
    tap(go(&play), "ready is said after go, and the launcher ends with 0");
    tap(scene_others() == 1 && has(pid, "status", "PPid:\t1\n"), "the resident process is the only one left");
    namespaces_differ(pid, found.st_ino);
    resident_is_tidy(pid);
    spared_from_oom(&play, pid);
    tap(scene_inside(pid, JOB, sees_its_own_processes_alone) == 0, "the fresh /proc has the job's processes alone");
    tap(scene_inside(pid, JOB, has_proc_with_flags) == 0, "it is nosuid, nodev and noexec");
    tap(scene_inside(pid, NET, talks_to_itself) == 0, "loopback is up");
    tap(scene_inside(pid, JOB, leaves_orphans) == 0, "orphans are its children, and are reaped");
    tap(scene_inside(pid, JOB, cannot_end_process_one) == 0, "no signal from inside ends or stops it");
    kill(pid, SIGTERM);
    kill(pid, SIGHUP);
    tap(scene_inside(pid, JOB, leaves_orphans) == 0, "nor do SIGTERM and SIGHUP from outside");
    killed_with_it(pid);
}

static void without_pid(void)
{
    struct play play;
    const char *mounts = scene_mounts(NULL);
    pid_t pid = begin(&play, WORDS(mounts, "--net", "--ipc"));
    int net = scene_open(pid, "net");
    struct stat found;

    fstat(net, &found);
    tap(scene_inode(pid, "pid") == scene_inode(getpid(), "pid") && found.st_ino != scene_inode(getpid(), "net"),
        "without --pid the pid namespace is the node's");
    tap(go(&play), "ready is said, and the launcher ends with 0");
    tap(scene_others() == 0, "no process stays");
    tap(ioctl(net, NS_GET_NSTYPE) == CLONE_NEWNET, "a namespace that was opened meanwhile does");
    close(net);
}

static void from_descriptor(void)
{
    struct play play;
    const char *path = scene_mounts(NULL);
    int fd = open(path, O_RDONLY);
    char number[16];
    pid_t pid;

    snprintf(number, sizeof number, "%d", fd);
    pid = begin(&play, WORDS(number, "--uts"));
    tap(scene_inode(pid, "mnt") != scene_inode(getpid(), "mnt") && go(&play),
        "a mount namespace is taken from a descriptor, too");
    close(fd);
}

static void in_cgroups(void)
{
    struct play play;
    char text[16];
    char path[] = "/tmp/rollcall-procs-XXXXXX";
    int fd = mkstemp(path);

    must(fd, path);
    begin(&play, WORDS(scene_mounts(NULL), "--cgroup", "--cgroup-procs", path));
    tap(go(&play) && scene_read(path, text, sizeof text) && strcmp(text, "0\n") == 0,
        "the launcher writes itself into the cgroup that is named");
    close(fd);
    unlink(path);
}

static void out_of_the_root(void)
{
    struct play play;
    char text[64];
    char wanted[64];
    char root[] = "/tmp/rollcall-root-XXXXXX";
    char path[] = "/tmp/rollcall-procs-XXXXXX";
    int root_fd = mkstemp(root);
    int fd = mkstemp(path);
    pid_t pid;

    must(root_fd, root);
    must(fd, path);
    pid = begin(&play, WORDS(scene_mounts(NULL), "--cgroup", "--cgroup-root", root, "--cgroup-procs", path));
    snprintf(wanted, sizeof wanted, "%d\n0\n", (int)pid);
    tap(scene_read(path, text, sizeof text) && strcmp(text, wanted) == 0,
        "both leave the root before it is told that all is made");
    tap(go(&play) && scene_read(root, text, sizeof text) && strcmp(text, "0\n") == 0,
        "the launcher alone was in the root");
    close(root_fd);
    close(fd);
    unlink(root);
    unlink(path);
}

/* All were made in one call, so all belong to the new user namespace. */
static void owned(pid_t pid)
{
    static const char *const FILES[] = {"mnt", "pid", "ipc", "uts", "net", "cgroup"};

    for (size_t i = 0; i < 6; i++) {
        int fd = scene_open(pid, FILES[i]);
        int owner = ioctl(fd, NS_GET_USERNS);
        struct stat found = {0};

        tap(owner >= 0 && fstat(owner, &found) == 0 && found.st_ino == scene_inode(pid, "user"),
            "%s belongs to the new user namespace", FILES[i]);
        close(owner);
        close(fd);
    }
}

static int proc_is_covered_twice(void)
{
    char mounts[16384];
    int count = 0;

    if (!scene_read("/proc/self/mounts", mounts, sizeof mounts))
        return -1;
    for (const char *at = mounts; (at = strstr(at, " /proc proc ")) != NULL; at++)
        count++;
    return count;
}

static int proc_mounts_in(const char *path)
{
    int status;
    pid_t pid = fork();

    must(pid, "fork");
    if (pid == 0) {
        must(setns(open(path, O_RDONLY), CLONE_NEWNS), "setns");
        _exit(proc_is_covered_twice());
    }
    status = await_end(pid, 5000);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int sees_users_as_they_are(void)
{
    struct stat found;

    return stat("/run/of-owner", &found) == 0 && found.st_uid == OWNER && getuid() == 0 ? 0 : 1;
}

static void file_of_owner(void)
{
    must(mount("tmpfs", "/run", "tmpfs", 0, NULL), "mount /run");
    must(open("/run/of-owner", O_WRONLY | O_CREAT, 0600), "/run/of-owner");
    must(chown("/run/of-owner", OWNER, OWNER), "chown");
}

static const char *const USER_JOB[] = {"user", "pid", "mnt", NULL};

static void everybody_to_themselves(void)
{
    struct play play;
    const char *mounts = scene_mounts(file_of_owner);
    struct stat found;
    int before = proc_mounts_in(mounts);
    pid_t pid =
        begin(&play, WORDS(mounts, "--pid", "--user", "--ipc", "--uts", "--net", "--cgroup", "--name", "rollcall:42"));

    map(pid, "0 0 4294967295", "0 0 4294967295");
    tap(go(&play), "with a map of all users to themselves it gets ready");
    stat(mounts, &found);
    tap(scene_inode(pid, "user") != scene_inode(getpid(), "user"), "the user namespace is another one");
    tap(scene_inode(pid, "mnt") != found.st_ino && scene_inode(pid, "mnt") != scene_inode(getpid(), "mnt"),
        "the mount namespace is a copy");
    owned(pid);
    tap(has(pid, "status", "Uid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\n"), "the resident process is root's");
    resident_is_tidy(pid);
    tap(before > 0 && proc_mounts_in(mounts) == before, "the mount namespace that was named has no new /proc");
    tap(scene_inside(pid, USER_JOB, sees_its_own_processes_alone) == 0, "the copy has, with the job's processes alone");
    tap(scene_inside(pid, USER_JOB, has_proc_with_flags) == 0, "it is nosuid, nodev and noexec");
    tap(scene_inside(pid, USER_JOB, sees_users_as_they_are) == 0, "users are who they are outside");
    tap(scene_inside(pid, USER_JOB, leaves_orphans) == 0, "orphans are reaped");
    end(pid);
}

/* As the owner: what only the right to trace gives. */
static bool owner_can_open(pid_t pid)
{
    int status;
    pid_t child = fork();

    must(child, "fork");
    if (child == 0) {
        char path[64];

        must(setresgid(OWNER, OWNER, OWNER) | setresuid(OWNER, OWNER, OWNER), "become the owner");
        snprintf(path, sizeof path, "/proc/%d/ns/user", (int)pid);
        _exit(ptrace(PTRACE_SEIZE, pid, NULL, NULL) == 0 || open(path, O_RDONLY) >= 0 ? 1 : 0);
    }
    status = await_end(child, 5000);
    return status != 0;
}

static void one_user(const char *users, const char *groups, const char *uids)
{
    struct play play;
    uid_t owner = 0;
    pid_t pid =
        begin(&play, WORDS(scene_mounts(NULL), "--pid", "--user", "--owner", "54321:54321", "--name", "rollcall:42"));
    int fd = scene_open(pid, "user");

    tap(ioctl(fd, NS_GET_OWNER_UID, &owner) == 0 && owner == OWNER,
        "the user namespace belongs to the owner that was named");
    close(fd);
    tap(has(pid, "setgroups", "deny"), "groups cannot be left in it");
    tap(!owner_can_open(pid), "the owner can neither trace the process nor open its namespaces");
    map(pid, users, groups);
    tap(go(&play), "with a map of one user it gets ready");
    tap(has(pid, "status", uids), "the resident process has the users %.12s", uids);
    tap(!owner_can_open(pid), "still the owner can neither trace it nor open its namespaces");
    tap(scene_inside(pid, USER_JOB, sees_its_own_processes_alone) == 0,
        "the fresh /proc has the job's processes alone");
    resident_is_tidy(pid);
    end(pid);
}

/* On one processor, or on all of them with -1. Whether the new mount namespace can be bound here, and whether the
 * program says that it cannot. */
static void bound(int processor, bool *can, bool *says_no)
{
    struct play play;
    cpu_set_t all;
    cpu_set_t some;
    char from[64];
    pid_t pid;

    must(sched_getaffinity(0, sizeof all, &all), "sched_getaffinity");
    some = all;
    if (processor >= 0) {
        CPU_ZERO(&some);
        CPU_SET(processor, &some);
    }
    must(sched_setaffinity(0, sizeof some, &some), "sched_setaffinity");
    pid = begin(&play, WORDS(scene_mounts(NULL), "--user"));
    must(sched_setaffinity(0, sizeof all, &all), "sched_setaffinity");
    snprintf(from, sizeof from, "/proc/%d/ns/mnt", (int)pid);
    must(open("/mnt/pin", O_WRONLY | O_CREAT | O_CLOEXEC, 0600), "/mnt/pin");
    *can = mount(from, "/mnt/pin", NULL, MS_BIND, NULL) == 0;
    must(sched_getaffinity(pid, sizeof all, &all), "sched_getaffinity");
    tap(CPU_EQUAL(&all, &some), "the resident process may use the processors that the launcher might");
    if (*can)
        umount2("/mnt/pin", MNT_DETACH);
    play_end(&play);
    *says_no = strstr(play.complaint, "note: the kernel will not bind the new mount namespace") != NULL;
}

static void can_be_bound(void)
{
    cpu_set_t all;
    bool can;
    bool says_no;

    must(mount("tmpfs", "/mnt", "tmpfs", 0, NULL), "mount /mnt");
    must(mount(NULL, "/mnt", NULL, MS_PRIVATE, NULL), "make /mnt private");
    for (int i = 0; i < 6; i++) {
        bound(-1, &can, &says_no);
        tap(can && !says_no, "a mount namespace of its own users can be pinned by who had it made");
    }
    must(sched_getaffinity(0, sizeof all, &all), "sched_getaffinity");
    for (int i = 0, tried = 0; i < CPU_SETSIZE && tried < 4; i++) {
        if (!CPU_ISSET(i, &all))
            continue;
        bound(i, &can, &says_no);
        tap(can == !says_no, "on processor %d alone, too, or there is a note: %d", i, says_no);
        tried++;
    }
    umount2("/mnt", MNT_DETACH);
}

static int test(void)
{
    program = scene_program(program);
    all_kinds();
    without_pid();
    from_descriptor();
    in_cgroups();
    out_of_the_root();
    everybody_to_themselves();
    can_be_bound();
    one_user("54321 54321 1", "54321 54321 1", "Uid:\t0\t54321\t0\t54321\n");
    one_user("0 54321 1", "0 54321 1", "Uid:\t54321\t54321\t54321\t54321\n");
    return tap_done();
}

int main(int count, char **words)
{
    program = count > 1 ? words[1] : "target/rollcall-namespaces";
    return scene_run(test);
}
