/* rollcall-enter, into what rollcall-namespaces made, as a user without rights. */
#include <fcntl.h>
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
#define OTHER 54322
#define PINS "/mnt/pins"
#define KINDS 7

static const char *const FILES[KINDS] = {"user", "pid", "ipc", "uts", "net", "cgroup", "mnt"};

static const char *namespaces;
static const char *enter;

/* A container with all kinds, or without a pid namespace's process. */
struct container {
    pid_t pid;
    char fds[KINDS][16]; /* numbers of descriptors that are inherited */
};

static void map(pid_t pid, const char *name, const char *text)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    must(scene_write(path, text) ? 0 : -1, path);
}

static void inherit(struct container *container)
{
    for (size_t i = 0; i < KINDS; i++) {
        int fd = scene_open(container->pid, FILES[i]);
        int kept = fcntl(fd, F_DUPFD, 20);

        must(kept, FILES[i]);
        close(fd);
        snprintf(container->fds[i], sizeof container->fds[i], "%d", kept);
    }
}

static void make(struct container *container, const char *owner, const char *users, const char *groups)
{
    const char *const words[] = {
        namespaces, "create", "--mount", scene_mounts(NULL), "--user", "--owner",     owner, "--pid",
        "--ipc",    "--uts",  "--net",   "--cgroup",         "--name", "rollcall:42", NULL};
    struct play play;
    int pid = 0;

    play_begin(&play, 0, words);
    if (sscanf(play_hear(&play), "made %d", &pid) != 1)
        play_say(&play, "?");
    container->pid = pid;
    map(pid, "uid_map", users);
    map(pid, "gid_map", groups);
    play_say(&play, "go\n");
    play_hear(&play);
    play_end(&play);
    tap(strcmp(play.said, "ready") == 0 && play.status == 0, "there is a container of %s with the map %s: %s", owner,
        users, play.said);
    inherit(container);
}

static void end(struct container *container)
{
    for (size_t i = 0; i < KINDS; i++)
        close(atoi(container->fds[i]));
    kill(container->pid, SIGKILL);
    tap(await_others(0), "no process stays");
}

/* As a pinned one is: a file, over which the namespace is bound. */
static void pin(const struct container *container)
{
    must(mount("tmpfs", "/mnt", "tmpfs", 0, "mode=0711"), "mount /mnt");
    must(mkdir(PINS, 0711), PINS);
    for (size_t i = 0; i < KINDS; i++) {
        char from[64];
        char to[64];

        snprintf(from, sizeof from, "/proc/%d/ns/%s", (int)container->pid, FILES[i]);
        snprintf(to, sizeof to, PINS "/%s", FILES[i]);
        must(open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0600), to);
        must(mount(from, to, NULL, MS_BIND, NULL), to);
    }
}

static void unpin(void)
{
    must(umount2("/mnt", MNT_DETACH), "umount /mnt");
}

static void begin_by_fds(struct play *play, uid_t user, const struct container *container, const char *script)
{
    play_begin(play, user,
               (const char *const[]){enter,
                                     "--mount",
                                     container->fds[6],
                                     "--pid",
                                     container->fds[1],
                                     "--ipc",
                                     container->fds[2],
                                     "--uts",
                                     container->fds[3],
                                     "--net",
                                     container->fds[4],
                                     "--cgroup",
                                     container->fds[5],
                                     "--user",
                                     container->fds[0],
                                     "--",
                                     "/bin/sh",
                                     "-c",
                                     script,
                                     NULL});
}

static void begin_by_pins(struct play *play, uid_t user, const char *pins, const char *script)
{
    play_begin(play, user, (const char *const[]){enter, "--pins", pins, "--", "/bin/sh", "-c", script, NULL});
}

/* The links of a process's namespaces, with a blank after each. */
static void links_of(pid_t pid, char *text, size_t size)
{
    size_t used = 0;

    for (size_t i = 0; i < KINDS; i++) {
        char path[64];
        char link[64] = "";

        snprintf(path, sizeof path, "/proc/%d/ns/%s", (int)pid, FILES[i]);
        must((int)readlink(path, link, sizeof link - 1), path);
        used += (size_t)snprintf(text + used, size - used, "%s ", link);
    }
}

static const char SHOW_LINKS[] =
    "for kind in user pid ipc uts net cgroup mnt; do printf '%s ' \"$(readlink /proc/self/ns/$kind)\"; done; echo";

static void is_in_all(struct play *play, const struct container *container, const char *what)
{
    char links[512];

    links_of(container->pid, links, sizeof links);
    play_hear(play);
    tap(strcmp(play->said, links) == 0, "%s is in all of them", what);
    play_end(play);
    tap(play_ended(play, 0, ""), "and ends well");
}

static void says(struct play *play, const char *line, const char *what)
{
    play_hear(play);
    if (!tap(strcmp(play->said, line) == 0, "%s: %s", what, play->said))
        tap_say("wanted %s", line);
    play_end(play);
}

static void enters(const struct container *container)
{
    struct play play;

    begin_by_fds(&play, OWNER, container, SHOW_LINKS);
    is_in_all(&play, container, "by descriptors, the owner");
    pin(container);
    begin_by_pins(&play, OWNER, PINS, SHOW_LINKS);
    is_in_all(&play, container, "by pins, the owner");
    unpin();
    begin_by_fds(&play, OWNER, container, "echo $(id -u) $(id -g) $(grep CapEff /proc/self/status)");
    says(&play, "54321 54321 CapEff: 0000000000000000", "the command has the user's rights alone");
    begin_by_fds(&play, OWNER, container,
                 "cd /proc; set -- [0-9]*; [ $1 = 1 ] && [ $2 = $$ ] && [ $# = 2 ] && cat 1/comm");
    says(&play, "rollcall:42", "it sees the job's processes alone");
    begin_by_fds(&play, OWNER, container,
                 "for fd in /proc/$$/fd/*; do case $(readlink $fd) in user:*|pid:*|ipc:*|uts:*|net:*|cgroup:*|mnt:*) "
                 "echo $fd;; esac; done; echo none");
    says(&play, "none", "it has no descriptor of a namespace");
    begin_by_fds(&play, OWNER, container, "kill -9 1; [ -d /proc/1 ] && readlink /proc/1/cwd || echo closed");
    says(&play, "closed", "process 1 is not the owner's to end or to look into");
}

static void has_working_directory(const struct container *container)
{
    struct play play;

    must(chdir("/etc"), "/etc");
    begin_by_fds(&play, OWNER, container, "pwd -P");
    says(&play, "/etc", "the working directory is the one of the same name");
    must(mount("tmpfs", "/mnt", "tmpfs", 0, NULL), "mount /mnt");
    must(mkdir("/mnt/later", 0755), "/mnt/later");
    must(chdir("/mnt/later"), "/mnt/later");
    begin_by_fds(&play, OWNER, container, "pwd -P");
    says(&play, "/", "it is / where there is none of the name");
    must(chdir("/"), "/");
    unpin();
}

static void ends_as_the_command(const struct container *container)
{
    struct play play;

    begin_by_fds(&play, OWNER, container, "exit 7");
    play_end(&play);
    tap(play_ended(&play, 7, ""), "the command's exit status is forwarded");
    begin_by_fds(&play, OWNER, container, "kill -9 $$");
    play_end(&play);
    tap(play.status == SIGKILL, "and the signal that it died of, SIGKILL");
    begin_by_fds(&play, OWNER, container, "kill -USR1 $$");
    play_end(&play);
    tap(play.status == SIGUSR1, "SIGUSR1");
    begin_by_fds(&play, OWNER, container, "ulimit -c unlimited; kill -SEGV $$");
    play_end(&play);
    tap(WIFSIGNALED(play.status) && WTERMSIG(play.status) == SIGSEGV && !WCOREDUMP(play.status),
        "SIGSEGV, without a core file of its own");
}

static void forwards_signals(const struct container *container)
{
    static const int SIGNALS[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR2, SIGALRM};
    struct play play;
    int status;

    for (size_t i = 0; i < sizeof SIGNALS / sizeof SIGNALS[0]; i++) {
        char script[128];

        snprintf(script, sizeof script, "trap 'echo got %d; kill $!; exit 3' %d; sleep 9 & echo up; wait", SIGNALS[i],
                 SIGNALS[i]);
        begin_by_fds(&play, OWNER, container, script);
        if (strcmp(play_hear(&play), "up") == 0)
            kill(play.pid, SIGNALS[i]);
        play_hear(&play);
        play_end(&play);
        tap(strncmp(play.said, "got ", 4) == 0 && play_ended(&play, 3, ""), "signal %d goes to the command",
            SIGNALS[i]);
    }
    begin_by_fds(&play, OWNER, container, "kill -STOP $$; echo on");
    tap(waitpid(play.pid, &status, WUNTRACED) == play.pid && WIFSTOPPED(status), "it stops with the command");
    kill(play.pid, SIGCONT);
    says(&play, "on", "and continues it");
    tap(play_ended(&play, 0, ""), "which ends well then");
    begin_by_fds(&play, OWNER, container, "echo up; exec sleep 9");
    play_hear(&play);
    kill(play.pid, SIGKILL);
    play_end(&play);
    tap(play.status == SIGKILL && await_others(1), "killed, it takes the command along");
}

static void cannot_run(const struct container *container)
{
    struct play play;
    const char *const *words = (const char *const[]){
        enter, "--user", container->fds[0], "--mount", container->fds[6], "--", "/nowhere/command", NULL};

    play_begin(&play, OWNER, words);
    play_end(&play);
    tap(play_ended(&play, 127, "rollcall-enter: cannot run /nowhere/command: No such file or directory\n"), "%s",
        play_complaint(&play));
    play_begin(&play, OWNER,
               (const char *const[]){enter, "--user", container->fds[0], "--mount", container->fds[6], "--pid",
                                     container->fds[1], "--", "/etc/passwd", NULL});
    play_end(&play);
    tap(play_ended(&play, 126, "rollcall-enter: cannot run /etc/passwd: Permission denied\n"), "%s",
        play_complaint(&play));
    play_begin(&play, OWNER,
               (const char *const[]){enter, "--user", container->fds[0], "--mount", container->fds[6], "--", "/bin/sh",
                                     "-c", "exit 9", NULL});
    play_end(&play);
    tap(play_ended(&play, 9, ""), "without a pid namespace it becomes the command");
}

static void refused(struct play *play, const char *text, const char *what)
{
    play_end(play);
    tap(play_ended(play, 125, text), "%s: %s", what, play_complaint(play));
}

static void refuses(const struct container *container)
{
    struct play play;
    char text[128];

    begin_by_fds(&play, OTHER, container, "true");
    snprintf(text, sizeof text, "user namespace %s belongs to user 54321 and cannot be joined by user 54322\n",
             container->fds[0]);
    refused(&play, text, "another user");
    begin_by_fds(&play, 0, container, "true");
    refused(&play, "rollcall-enter: this program is for a job's user, not for root\n", "root");
    play_begin(
        &play, OWNER,
        (const char *const[]){enter, "--user", container->fds[0], "--mount", "/proc/self/ns/mnt", "--", "true", NULL});
    refused(&play, "cannot join mount namespace /proc/self/ns/mnt: Operation not permitted\n",
            "mounts of another owner");
    play_begin(
        &play, OWNER,
        (const char *const[]){enter, "--user", container->fds[0], "--mount", container->fds[2], "--", "true", NULL});
    snprintf(text, sizeof text, "rollcall-enter: %s is no mount namespace\n", container->fds[2]);
    refused(&play, text, "another kind");
    play_begin(
        &play, OWNER,
        (const char *const[]){enter, "--user", "/proc/self/ns/user", "--mount", container->fds[6], "--", "true", NULL});
    refused(&play, "user namespace /proc/self/ns/user belongs to user 0 and cannot be joined by user 54321\n",
            "the node's users");
    play_begin(&play, OWNER,
               (const char *const[]){enter, "--user", "777", "--mount", container->fds[6], "--", "true", NULL});
    refused(&play, "cannot use descriptor 777 as user namespace: Bad file descriptor\n", "no descriptor");
    play_begin(&play, OWNER, (const char *const[]){enter, "--frob", NULL});
    refused(&play, "rollcall-enter: option --frob is unknown\n", "an unknown option");
}

static void refuses_pins(const struct container *container)
{
    struct play play;

    begin_by_pins(&play, OWNER, "/nowhere/pins", "true");
    refused(&play, "cannot open the directory of pins /nowhere/pins: No such file or directory\n", "no pins");
    begin_by_pins(&play, OWNER, "/etc", "true");
    refused(&play, "/etc has no user, which is needed\n", "no user among the pins");
    pin(container);
    begin_by_pins(&play, OTHER, PINS, "true");
    refused(&play, "user namespace /mnt/pins belongs to user 54321 and cannot be joined by user 54322\n",
            "another user");
    must(umount2(PINS "/net", 0), "umount");
    begin_by_pins(&play, OWNER, PINS, "true");
    refused(&play, "cannot open /mnt/pins/net: Permission denied\n", "a pin that came off");
    must(chmod(PINS "/net", 0444), "chmod");
    begin_by_pins(&play, OWNER, PINS, "true");
    refused(&play, "/mnt/pins/net is no net namespace\n", "a file that is no pin");
    must(unlink(PINS "/net"), "unlink");
    begin_by_pins(&play, OWNER, PINS, "readlink /proc/self/ns/net");
    play_hear(&play);
    play_end(&play);
    tap(play_ended(&play, 0, "")
            && scene_inode(getpid(), "net") == strtoul(play.said + strcspn(play.said, "0123456789"), NULL, 10),
        "a kind that has no pin is not joined");
    must(chmod(PINS, 0700), "chmod");
    begin_by_pins(&play, OWNER, PINS, "true");
    refused(&play, "cannot open /mnt/pins/user: Permission denied\n", "pins that cannot be searched");
    unpin();
}

/* As sshd begins its forced command: variables in the place of words. The last two may be NULL. */
static void begin_session(struct play *play, uid_t user, const char *shell, const char *command, const char *pins)
{
    char variables[3][128];
    const char *words[8] = {"/usr/bin/env", "-i"};
    size_t count = 2;

    snprintf(variables[0], sizeof variables[0], "SHELL=%s", shell);
    words[count++] = variables[0];
    snprintf(variables[1], sizeof variables[1], "SSH_ORIGINAL_COMMAND=%s", command == NULL ? "" : command);
    if (command != NULL)
        words[count++] = variables[1];
    snprintf(variables[2], sizeof variables[2], "ROLLCALL_CONTAINER=%s", pins == NULL ? "" : pins);
    if (pins != NULL)
        words[count++] = variables[2];
    words[count++] = enter;
    words[count++] = "--session";
    words[count] = NULL;
    play_begin(play, user, words);
}

static void begins_sessions_outside(void)
{
    struct play play;

    begin_session(&play, OWNER, "/bin/sh", "echo $0 $(id -u) ${SSH_ORIGINAL_COMMAND-none}", NULL);
    says(&play, "sh 54321 none", "without a container the session's command is run by the user's shell");
    begin_session(&play, OWNER, "/bin/sh", "exit 7", NULL);
    play_end(&play);
    tap(play_ended(&play, 7, ""), "its exit status is the session's");
    begin_session(&play, OWNER, "/bin/sh", "", NULL);
    play_end(&play);
    tap(play_ended(&play, 0, ""), "an empty command is one, too");
    begin_session(&play, OWNER, "/bin/sh", NULL, NULL);
    play_say(&play, "echo $0\n");
    says(&play, "-sh", "without a command there is a login shell");
    begin_session(&play, OWNER, "", "echo $0", NULL);
    says(&play, "sh", "an empty SHELL is /bin/sh");
    begin_session(&play, 0, "/bin/sh", "id -u", NULL);
    says(&play, "0", "root's sessions come here, too");
    begin_session(&play, OWNER, "/nowhere/shell", "true", NULL);
    play_end(&play);
    tap(play_ended(&play, 127, "rollcall-enter: cannot run /nowhere/shell: No such file or directory\n"), "%s",
        play_complaint(&play));
}

static void begins_sessions_inside(const struct container *container)
{
    struct play play;

    pin(container);
    begin_session(&play, OWNER, "/bin/sh", SHOW_LINKS, PINS);
    is_in_all(&play, container, "a session of the container's");
    begin_session(&play, OWNER, "/bin/sh", "echo $0 ${ROLLCALL_CONTAINER-none}; exit 7", PINS);
    says(&play, "sh none", "its shell is not told of the container");
    tap(play_ended(&play, 7, ""), "its exit status is the session's");
    begin_session(&play, OWNER, "/bin/sh", NULL, PINS);
    play_say(&play, "echo $0 $(cat /proc/1/comm)\n");
    says(&play, "-sh rollcall:42", "a login shell is inside as well");
    begin_session(&play, OTHER, "/bin/sh", "echo in", PINS);
    play_hear(&play);
    play_end(&play);
    tap(play.said[0] == '\0' && play_ended(&play, 125, " and cannot be joined by user 54322\n"),
        "another user's runs nothing");
    begin_session(&play, OWNER, "/bin/sh", "echo in", "/nowhere/pins");
    play_hear(&play);
    play_end(&play);
    tap(play.said[0] == '\0'
            && play_ended(&play, 125, "cannot open the directory of pins /nowhere/pins: No such file or directory\n"),
        "nor does one whose container is gone");
    begin_session(&play, OWNER, "/bin/sh", "echo in", "");
    play_hear(&play);
    play_end(&play);
    tap(play.said[0] == '\0'
            && play_ended(&play, 125, "cannot open the directory of pins : No such file or directory\n"),
        "nor one whose container has no name");
    begin_session(&play, 0, "/bin/sh", "echo in", PINS);
    play_hear(&play);
    play_end(&play);
    tap(play.said[0] == '\0'
            && play_ended(&play, 125, "rollcall-enter: this program is for a job's user, not for root\n"),
        "nor root's");
    unpin();
}

static int test(void)
{
    struct container container;
    struct play play;

    namespaces = scene_program(namespaces);
    enter = scene_program(enter);
    make(&container, "54321:54321", "54321 54321 1", "54321 54321 1");
    enters(&container);
    has_working_directory(&container);
    ends_as_the_command(&container);
    forwards_signals(&container);
    cannot_run(&container);
    refuses(&container);
    refuses_pins(&container);
    begins_sessions_outside();
    begins_sessions_inside(&container);
    end(&container);
    make(&container, "54321:54321", "0 54321 1", "0 54321 1");
    begin_by_fds(&play, OWNER, &container, "mount -t tmpfs none /mnt && echo $(id -u)");
    says(&play, "0", "where the map says so, the command is root of its namespaces");
    begin_by_fds(&play, OTHER, &container, "true");
    refused(&play, " and cannot be joined by user 54322\n", "another user");
    begin_by_fds(&play, OWNER, &container, "cat /etc/shadow || umount /dev || chown 1 /tmp || echo no more");
    says(&play, "no more", "and nothing more than that");
    end(&container);
    make(&container, "0:0", "0 0 4294967295", "0 0 4294967295");
    begin_by_fds(&play, OWNER, &container, "true");
    refused(&play, " belongs to user 0 and cannot be joined by user 54321\n", "a user namespace of root's");
    end(&container);
    return tap_done();
}

int main(int count, char **words)
{
    namespaces = count > 1 ? words[1] : "target/rollcall-namespaces";
    enter = count > 2 ? words[2] : "target/rollcall-enter";
    return scene_run(test);
}
