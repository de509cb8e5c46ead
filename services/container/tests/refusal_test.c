/* What rollcall-namespaces cannot do: what it says then, and that nothing stays. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "play.h"
#include "scene.h"
#include "tap.h"

#define OWNER 54321
#define NOBODY 65534
#define WORDS(...) ((const char *const[]){program, "create", __VA_ARGS__, NULL})

static const char *program;

/* Ends by itself, with the text on stderr, and before it said anything. */
static void refused_to(uid_t user, const char *const *words, const char *text, const char *what)
{
    struct play play;

    play_begin(&play, user, words);
    play_hear(&play);
    play_end(&play);
    tap(play_ended(&play, 1, text) && play.said[0] == '\0' && scene_others() == 0, "%s: %s", what,
        play_complaint(&play));
}

static void refused(const char *const *words, const char *text, const char *what)
{
    refused_to(0, words, text, what);
}

/* It said "made"; what comes then makes it fail. */
static pid_t made(struct play *play, const char *const *words)
{
    int pid = 0;

    play_begin(play, 0, words);
    if (!tap(sscanf(play_hear(play), "made %d", &pid) == 1 && pid > 1, "made is said: %s", play->said)) {
        play_end(play);
        tap_say("%s", play->complaint);
        exit(tap_done());
    }
    return pid;
}

static void gave_up(struct play *play, pid_t pid, const char *text, const char *what)
{
    play_end(play);
    tap(play_ended(play, 1, text) && await_gone(pid) && scene_others() == 0, "%s: %s", what, play_complaint(play));
}

static void of_words(void)
{
    refused(WORDS("--mount", "m", "--frob"), "rollcall-namespaces: option --frob is unknown\n", "an option is unknown");
    refused(WORDS("--mount", "m\nn", "--pid"), "cannot open mount namespace m?n: No such file",
            "no path breaks the line");
}

static void of_places(void)
{
    char directory[] = "/tmp/rollcall-refusal-XXXXXX";
    char fifo[64];
    char net[64];
    int used = open("/dev/null", O_RDONLY);
    char number[16];

    must(mkdtemp(directory) == NULL ? -1 : 0, directory);
    snprintf(fifo, sizeof fifo, "%s/fifo", directory);
    must(mkfifo(fifo, 0600), fifo);
    snprintf(number, sizeof number, "%d", used);
    snprintf(net, sizeof net, "/proc/%d/ns/net", (int)getpid());
    refused(WORDS("--mount", "/nowhere/mnt", "--pid"),
            "cannot open mount namespace /nowhere/mnt: No such file or directory\n", "no such file");
    refused(WORDS("--mount", "99", "--pid"), "cannot use descriptor 99 as mount namespace: Bad file descriptor\n",
            "no such descriptor");
    refused(WORDS("--mount", "1", "--pid"), "descriptor 1 cannot be the mount namespace: it is in use\n", "stdout");
    refused(WORDS("--mount", number, "--pid"), "is no mount namespace, nor any other\n",
            "a descriptor of something else");
    refused(WORDS("--mount", "/etc/passwd", "--pid"), "/etc/passwd is no mount namespace, nor any other\n", "a file");
    refused(WORDS("--mount", "/", "--pid"), "/ is no mount namespace, nor any other\n", "a directory");
    refused(WORDS("--mount", fifo, "--pid"), "/fifo is no mount namespace, nor any other\n", "a FIFO");
    refused(WORDS("--mount", net, "--pid"), "/ns/net is no mount namespace\n", "another namespace");
    refused(WORDS("--mount", "/proc/self/ns/mnt", "--pid"),
            "mount namespace /proc/self/ns/mnt is the one that this program is in, not a job's\n", "the node's own");
    unlink(fifo);
    rmdir(directory);
    close(used);
}

static void wait_for_end(int fd)
{
    char letter;

    if (read(fd, &letter, 1) != 0)
        _exit(1);
}

/* A child in namespaces of its own, which ends with the other end of its stdin. */
static pid_t apart(int flags, int *end)
{
    int hold[2];
    int ready[2];
    char sign;
    pid_t pid;

    must(pipe2(hold, O_CLOEXEC), "pipe");
    must(pipe2(ready, O_CLOEXEC), "pipe");
    pid = fork();
    must(pid, "fork");
    if (pid == 0) {
        close(hold[1]);
        must(unshare(flags), "unshare");
        must((int)write(ready[1], "!", 1), "write");
        wait_for_end(hold[0]);
        _exit(0);
    }
    close(hold[0]);
    close(ready[1]);
    must(read(ready[0], &sign, 1) == 1 ? 0 : -1, "child");
    close(ready[0]);
    *end = hold[1];
    return pid;
}

static void of_a_user(void)
{
    int end;
    pid_t pid = apart(CLONE_NEWUSER | CLONE_NEWNS, &end);
    int fd = scene_open(pid, "mnt");
    char path[64];

    close(end);
    waitpid(pid, NULL, 0);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), fd);
    refused(WORDS("--mount", path, "--pid"), " belongs to another user namespace\n",
            "mounts that a user could arrange");
    close(fd);
}

static void of_rights(void)
{
    const char *path = scene_mounts(NULL);
    int fd = open(path, O_RDONLY);
    char number[16];

    snprintf(number, sizeof number, "%d", fd);
    refused_to(NOBODY, WORDS("--mount", path, "--pid"), ": Permission denied\n", "not root, a path of root's");
    refused_to(NOBODY, WORDS("--mount", number, "--pid"), ": Operation not permitted\n",
               "not root, an open descriptor");
    refused_to(NOBODY, WORDS("--mount", number, "--pid", "--user", "--owner", "1:1"), "cannot join mount namespace ",
               "not root, for another owner");
    close(fd);
}

static void of_cgroups(void)
{
    const char *path = scene_mounts(NULL);

    refused(WORDS("--mount", path, "--cgroup", "--cgroup-procs", "/nowhere/cgroup.procs"),
            "cannot open /nowhere/cgroup.procs: No such file or directory\n", "no such cgroup");
    refused(WORDS("--mount", path, "--cgroup", "--cgroup-procs", "/dev/full"),
            "cannot write to /dev/full: No space left on device\n", "a cgroup that takes no process");
}

static void without_proc(void)
{
    must(umount2("/proc", MNT_DETACH), "umount /proc");
    umount2("/proc", MNT_DETACH);
}

/* Something of it is covered: a user namespace may not uncover that with a fresh one (mount_namespaces(7)). */
static void with_covered_proc(void)
{
    must(mount("tmpfs", "/proc/sys", "tmpfs", 0, NULL), "mount /proc/sys");
}

static void map(pid_t pid, const char *name, const char *text)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    must(scene_write(path, text) ? 0 : -1, path);
}

static void of_proc(void)
{
    struct play play;
    pid_t pid = made(&play, WORDS("--mount", scene_mounts(without_proc), "--pid"));

    play_say(&play, "go\n");
    gave_up(&play, pid, "cannot make /proc private in the job's mount namespace: Invalid argument\n",
            "no /proc to cover");
    pid = made(&play, WORDS("--mount", scene_mounts(with_covered_proc), "--pid", "--user"));
    map(pid, "uid_map", "0 0 4294967295");
    map(pid, "gid_map", "0 0 4294967295");
    play_say(&play, "go\n");
    gave_up(&play, pid, "cannot mount /proc in the job's mount namespace: Operation not permitted\n",
            "a /proc that is covered in part");
}

static void of_the_agent(void)
{
    const char *path = scene_mounts(NULL);
    struct play play;
    pid_t pid = made(&play, WORDS("--mount", path, "--pid", "--net"));

    gave_up(&play, pid, "rollcall-namespaces: stdin ended before go\n", "stdin ends with --pid");
    pid = made(&play, WORDS("--mount", path, "--net"));
    gave_up(&play, pid, "rollcall-namespaces: stdin ended before go\n", "stdin ends without --pid");
    pid = made(&play, WORDS("--mount", path, "--pid"));
    play_say(&play, "g");
    play_say(&play, "o");
    gave_up(&play, pid, "stdin ended before go\n", "stdin ends within go");
    pid = made(&play, WORDS("--mount", path, "--pid"));
    play_say(&play, "gone\n");
    gave_up(&play, pid, "stdin has other text than go\n", "another word");
    pid = made(&play, WORDS("--mount", path, "--pid"));
    play_say(&play, "\n");
    gave_up(&play, pid, "stdin has other text than go\n", "an empty line");
}

static void of_time(void)
{
    const char *path = scene_mounts(NULL);
    struct play play;
    pid_t pid = made(&play, WORDS("--mount", path, "--pid", "--timeout-ms", "1500"));
    int in = play.in;

    play.in = -1;
    gave_up(&play, pid, "no go on stdin within 1500 ms\n", "the agent says nothing");
    close(in);
    pid = made(&play, WORDS("--mount", path, "--pid", "--user", "--timeout-ms", "1500"));
    in = play.in;
    play_say(&play, "g");
    play.in = -1;
    gave_up(&play, pid, "no go on stdin within 1500 ms\n", "the agent stops within go");
    close(in);
}

static void of_the_resident(void)
{
    const char *path = scene_mounts(NULL);
    struct play play;
    pid_t pid = made(&play, WORDS("--mount", path, "--pid", "--timeout-ms", "1500"));
    int in;

    kill(pid, SIGSTOP);
    play_say(&play, "go\n");
    gave_up(&play, pid, "the process in the new namespaces was not ready within 1500 ms\n", "the resident is stopped");
    pid = made(&play, WORDS("--mount", path, "--pid"));
    in = play.in;
    play.in = -1;
    kill(pid, SIGKILL);
    gave_up(&play, pid, "the process in the new namespaces ended before go\n", "the resident is killed");
    close(in);
}

static void of_stdout(void)
{
    refused(((const char *const[]){"/bin/sh", "-c", "exec \"$@\" >/dev/full", "sh", program, "create", "--mount",
                                   scene_mounts(NULL), "--pid", NULL}),
            "cannot write to stdout: No space left on device\n", "stdout takes nothing");
}

/* SIGKILL of the launcher: the resident goes by itself, before go and with it. */
static void of_the_launcher(void)
{
    const char *path = scene_mounts(NULL);
    static const char *const KINDS_OF[][2] = {{"--pid", "--user"}, {"--net", "--ipc"}, {"--pid", "--net"}};

    for (size_t i = 0; i < 3; i++) {
        struct play play;
        pid_t pid = made(&play, WORDS("--mount", path, KINDS_OF[i][0], KINDS_OF[i][1]));

        kill(play.pid, i == 2 ? SIGTERM : SIGKILL);
        tap(await_gone(pid), "the launcher is killed: the resident process goes, too, with %s", KINDS_OF[i][0]);
        play_end(&play);
        tap(scene_others() == 0, "no process stays");
    }
}

/* The owner has the subordinate users 100000 to 165535 and the subordinate group 200000. */
static pid_t made_with_subordinates(struct play *play)
{
    return made(play, WORDS("--mount", scene_mounts(NULL), "--pid", "--user", "--owner", "54321:54321", "--also-uids",
                            "100000:65536", "--also-gids", "200000:1"));
}

static void unfit_beside_subordinates(const char *users, const char *groups, const char *text, const char *what)
{
    struct play play;
    pid_t pid = made_with_subordinates(&play);

    map(pid, "uid_map", users);
    map(pid, "gid_map", groups);
    play_say(&play, "go\n");
    gave_up(&play, pid, text, what);
}

/* More text than one read(2) of a map returns. The kernel takes less than a page at once. */
static void of_long_maps(void)
{
    struct play play;
    pid_t pid = made_with_subordinates(&play);
    char users[4096] = "0 54321 1";
    size_t used = strlen(users);

    for (int i = 1; i < 300; i++)
        used += (size_t)snprintf(users + used, sizeof users - used, "\n%d %d 1", i, 100000 + i);
    map(pid, "uid_map", users);
    map(pid, "gid_map", "54321 54321 1");
    play_say(&play, "go\n");
    play_hear(&play);
    tap(strcmp(play.said, "ready") == 0, "300 lines of the owner's own users: %s", play.said);
    play_end(&play);
    kill(pid, SIGKILL);
    tap(await_gone(pid) && scene_others() == 0, "killed, it leaves no process");
    snprintf(users + used, sizeof users - used, "\n301 0 1");
    unfit_beside_subordinates(users, "54321 54321 1", "/uid_map maps more than", "root in line 301");
}

static void of_subordinates(void)
{
    struct play play;
    pid_t pid = made_with_subordinates(&play);

    map(pid, "uid_map", "0 54321 1\n1 100000 65000\n70000 165000 536");
    map(pid, "gid_map", "54321 54321 1\n1 200000 1");
    play_say(&play, "go\n");
    play_hear(&play);
    tap(strcmp(play.said, "ready") == 0, "subordinate users and groups are mapped beside the owner: %s", play.said);
    play_end(&play);
    kill(pid, SIGKILL);
    tap(await_gone(pid) && scene_others() == 0, "killed, it leaves no process");
    unfit_beside_subordinates("0 54321 1\n1 165535 2", "54321 54321 1",
                              "/uid_map maps more than the owner's own 54321 and subordinate numbers",
                              "the user behind the last subordinate one");
    unfit_beside_subordinates("0 54321 1\n1 99999 2", "54321 54321 1", "/uid_map maps more than",
                              "the user before the first subordinate one");
    unfit_beside_subordinates("0 54321 1", "54321 54321 1\n1 100000 1", "/gid_map maps more than",
                              "a subordinate user's number as a group");
    unfit_beside_subordinates("0 100000 65536", "54321 54321 1", "/uid_map does not map the owner's own 54321",
                              "a map without the owner");
}

static void unfit_maps(const char *users, const char *groups, const char *text, const char *what)
{
    struct play play;
    pid_t pid = made(&play, WORDS("--mount", scene_mounts(NULL), "--pid", "--user", "--owner", "54321:54321"));

    if (users[0] != '\0')
        map(pid, "uid_map", users);
    if (groups[0] != '\0')
        map(pid, "gid_map", groups);
    play_say(&play, "go\n");
    gave_up(&play, pid, text, what);
}

static void of_maps(void)
{
    unfit_maps("", "", "/uid_map was not written before go\n", "no map");
    unfit_maps("0 54321 1", "", "/gid_map was not written before go\n", "no map of groups");
    unfit_maps("0 0 4294967295", "0 0 4294967295",
               "/uid_map maps more than the owner's own 54321, whom the owner could become\n",
               "an owner who could become everybody");
    unfit_maps("54321 54321 2", "54321 54321 1", "/uid_map maps more than the owner's own 54321",
               "an owner who could become the next");
    unfit_maps("0 1000 1", "54321 54321 1", "/uid_map maps more than the owner's own 54321",
               "an owner who could become another");
    unfit_maps("54321 54321 1\n0 0 1", "54321 54321 1", "/uid_map maps more than the owner's own 54321",
               "an owner who could become root");
    unfit_maps("54321 54321 1", "0 0 10", "/gid_map maps more than the owner's own 54321",
               "an owner who could join root's group");
    of_subordinates();
    of_long_maps();
}

/* In a user namespace whose limits are ours to set, and which has one user: the initial one's limits are the node's. */
static int limited(void)
{
    const char *path = scene_mounts(NULL);
    struct play play;
    pid_t pid;

    refused(WORDS("--mount", path, "--user", "--pid", "--owner", "5:5"),
            "cannot become the owner 5:5: ", "an owner that is not mapped where the agent is");
    pid = made(&play, WORDS("--mount", path, "--pid"));
    gave_up(&play, pid, "note: cannot write -999 to /proc/", "no right to spare from the killer of memory");
    must(scene_write("/proc/sys/user/max_user_namespaces", "0") ? 0 : -1, "max_user_namespaces");
    refused(WORDS("--mount", path, "--user", "--pid"),
            "cannot make the namespaces user, pid, mount: No space left on device\n", "too many user namespaces");
    must(scene_write("/proc/sys/user/max_pid_namespaces", "1") ? 0 : -1, "max_pid_namespaces");
    refused(WORDS("--mount", path, "--pid"), "cannot make the namespaces pid: No space left on device\n",
            "too many pid namespaces");
    return tap_done();
}

static int in_user_namespace(void)
{
    pid_t pid;
    int status;

    must(unshare(CLONE_NEWUSER), "unshare");
    must(scene_write("/proc/self/setgroups", "deny") ? 0 : -1, "setgroups");
    must(scene_write("/proc/self/uid_map", "0 0 1") && scene_write("/proc/self/gid_map", "0 0 1") ? 0 : -1, "maps");
    must(unshare(CLONE_NEWNS | CLONE_NEWPID), "unshare");
    pid = fork();
    must(pid, "fork");
    if (pid == 0) {
        must(mount("proc", "/proc", "proc", 0, NULL), "mount /proc");
        exit(limited());
    }
    status = await_end(pid, 20000);
    return status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int test(void)
{
    program = scene_program(program);
    of_words();
    of_places();
    of_a_user();
    of_rights();
    of_cgroups();
    of_proc();
    of_the_agent();
    of_time();
    of_the_resident();
    of_stdout();
    of_the_launcher();
    of_maps();
    return in_user_namespace();
}

int main(int count, char **words)
{
    program = count > 1 ? words[1] : "target/rollcall-namespaces";
    return scene_run(test);
}
