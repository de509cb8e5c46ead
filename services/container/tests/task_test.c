/* rollcall-enter, into the container that a task of a job made for itself, as a user without rights. */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "play.h"
#include "scene.h"
#include "tap.h"

#define OWNER 54321
#define OTHER 54322

static const char *enter;
static char tree[128]; /* of cgroups, with job_1 and job_2 */

static const char SHOW_LINKS[] =
    "for kind in user pid ipc uts net cgroup mnt; do printf '%s ' \"$(readlink /proc/self/ns/$kind)\"; done; echo";

/* As enroot does it. */
static const char UNSHARED[] =
    "exec unshare --user --map-root-user --mount --pid --fork --mount-proc --kill-child sh -c '"
    "for kind in user pid ipc uts net cgroup mnt; do printf \"%s \" \"$(readlink /proc/self/ns/$kind)\"; done; echo; "
    "read end'";

/* As bubblewrap does it: users below those that own the mounts. */
static const char NESTED[] =
    "exec unshare --user --map-root-user --mount --pid --fork --mount-proc --kill-child unshare --user sh -c '"
    "for kind in user pid ipc uts net cgroup mnt; do printf \"%s \" \"$(readlink /proc/self/ns/$kind)\"; done; echo; "
    "read end'";

/* Mounts and processes in two levels, with the others' kinds in the first alone: as in a job with namespaces of its
 * own. */
static const char TWO_LEVELS[] =
    "exec unshare --user --map-root-user --mount --pid --ipc --uts --fork --mount-proc --kill-child "
    "unshare --user --map-root-user --mount --pid --fork --mount-proc --kill-child sh -c '"
    "for kind in user pid ipc uts net cgroup mnt; do printf \"%s \" \"$(readlink /proc/self/ns/$kind)\"; done; echo; "
    "read end'";

/* With another root, to which chroot(2) leads and no mount. */
#define ROOT                                                                                                           \
    "mount -t tmpfs none /mnt; mkdir /mnt/usr /mnt/proc; mount --rbind /usr /mnt/usr; mount --rbind /proc /mnt/proc; " \
    "for each in bin lib lib64 sbin; do ln -s usr/$each /mnt/$each; done; echo it >/mnt/mark; "
static const char CHROOTED[] = "exec unshare --user --map-root-user --mount sh -c '" ROOT
                               "exec chroot /mnt sh -c \"readlink /proc/self/ns/mnt; read end\"'";
static const char OF_ROOT[] =
    "exec unshare --mount sh -c '" ROOT "exec chroot --userspec=54321:54321 /mnt sh -c \"echo \\$\\$; read end\"'";
static const char PRIVATE_DIRECTORY[] = "exec unshare --mount sh -c 'mount -t tmpfs none /mnt; exec setpriv "
                                        "--reuid 54321 --regid 54321 --clear-groups sh -c \"echo up; read end\"'";

/* Within namespaces that root made for the task, as those of a step daemon. */
#define AS_OWNER "setpriv --reuid 54321 --regid 54321 --clear-groups unshare --user --map-root-user --mount sh -c "
static const char IN_ROOTS_IPC[] = "exec unshare --ipc --cgroup " AS_OWNER "'readlink /proc/self/ns/mnt; read end'";
static const char IN_ROOTS_PIDS[] = "exec unshare --pid --fork --kill-child " AS_OWNER "'echo up; read end'";

static void make_tree(void)
{
    static const char *const ROOTS[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/freezer"};
    static const char *const NAMES[] = {"job_1", "job_1/step_extern", "job_1/step_0",     "job_1/step_1",
                                        "job_2", "job_2/step_0",      "job_2/step_extern"};
    const char *root = NULL;
    char path[256];

    for (size_t i = 0; root == NULL && i < sizeof ROOTS / sizeof ROOTS[0]; i++) {
        snprintf(path, sizeof path, "%s/cgroup.procs", ROOTS[i]);
        root = access(path, W_OK) == 0 ? ROOTS[i] : NULL;
    }
    must(root == NULL ? -1 : 0, "a hierarchy of cgroups");
    snprintf(tree, sizeof tree, "%s/rollcall-test-XXXXXX", root == NULL ? "" : root);
    must(mkdtemp(tree) == NULL ? -1 : 0, tree);
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", tree, NAMES[i]);
        must(mkdir(path, 0755), path);
    }
}

/* This process, and so those that it starts next. */
static void move_to(const char *cgroup)
{
    char path[256];

    snprintf(path, sizeof path, "%s/%s/cgroup.procs", tree, cgroup);
    must(scene_write(path, "0") ? 0 : -1, path);
}

static void remove_tree(void)
{
    static const char *const NAMES[] = {"job_2/step_extern", "job_2/step_0",      "job_2", "job_1/step_1",
                                        "job_1/step_0",      "job_1/step_extern", "job_1", "."};
    char path[256];

    move_to("..");
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", tree, strcmp(NAMES[i], ".") == 0 ? "" : NAMES[i]);
        must(rmdir(path), path);
    }
}

/* A process in the cgroup, once it has said a line; sessions come to job 1 afterwards. */
static void begin_task(struct play *play, uid_t user, const char *cgroup, const char *script)
{
    move_to(cgroup);
    play_begin(play, user, (const char *const[]){"/bin/sh", "-c", script, NULL});
    move_to("job_1/step_extern");
    play_hear(play);
    tap(play->said[0] != '\0', "a process of user %u is in %s", (unsigned)user, cgroup);
}

static void end_task(struct play *play)
{
    play_end(play);
    tap(await_others(0), "no process stays");
}

static void begin(struct play *play, uid_t user, const char *which, const char *script)
{
    play_begin(play, user, (const char *const[]){enter, "--task", which, "--", "/bin/sh", "-c", script, NULL});
}

static void says(struct play *play, const char *line, const char *what)
{
    play_hear(play);
    if (!tap(strcmp(play->said, line) == 0, "%s: %s", what, play->said))
        tap_say("wanted %s", line);
    play_end(play);
    tap(play_ended(play, 0, ""), "and it ends well");
}

static void refused(struct play *play, const char *text, const char *what)
{
    play_hear(play);
    play_end(play);
    tap(play->said[0] == '\0' && play_ended(play, 125, text), "%s: %s", what, play_complaint(play));
}

static void is_refused(uid_t user, const char *which, const char *text, const char *what)
{
    struct play play;

    begin(&play, user, which, "echo in");
    refused(&play, text, what);
}

/* The number of the only child of a process: unshare --fork waits for it. */
static void child_of(int parent, char *number, size_t size)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/task/%d/children", parent, parent);
    must(scene_read(path, number, size) ? 0 : -1, path);
    number[strcspn(number, " \n")] = '\0';
}

static void enters_what_enroot_makes(void)
{
    struct play task;
    struct play play;
    char child[16];
    char parent[16];

    is_refused(OWNER, "any", "rollcall-enter: no task of the job on this node runs in a container\n", "no container");
    begin_task(&task, OWNER, "job_1/step_0", UNSHARED);
    begin(&play, OWNER, "any", SHOW_LINKS);
    says(&play, task.said, "the owner is in all namespaces of the task");
    child_of((int)task.pid, child, sizeof child);
    begin(&play, OWNER, child, SHOW_LINKS);
    says(&play, task.said, "by its number, too");
    begin(&play, OWNER, "any", "echo $(id -u) $(cat /proc/1/comm)");
    says(&play, "0 sh", "as whom the task's maps make of the user");
    begin(&play, OWNER, "any",
          "for fd in /proc/$$/fd/*; do case $(readlink $fd) in user:*|pid:*|ipc:*|uts:*|net:*|cgroup:*|mnt:*|/|/proc*) "
          "echo $fd;; esac; done; echo none");
    says(&play, "none", "it has no descriptor of a namespace or of the root directory");
    play_begin(&play, OWNER, (const char *const[]){"/usr/bin/env", "SHELL=/bin/sh", enter, "--task", "any", NULL});
    play_say(&play, "readlink /proc/self/ns/mnt; exit 7\n");
    play_hear(&play);
    play_end(&play);
    tap(strstr(task.said, play.said) != NULL && play_ended(&play, 7, ""), "without a command there is a shell");
    snprintf(parent, sizeof parent, "%d", (int)getpid());
    is_refused(OWNER, parent, "rollcall-enter: process 1 belongs to another user\n", "root's process");
    is_refused(OWNER, "999999999", "rollcall-enter: there is no process 999999999\n", "no process");
    is_refused(OTHER, "any", "rollcall-enter: no task of the job on this node runs in a container\n", "another user");
    is_refused(OTHER, child, " belongs to another user\n", "another user's process");
    is_refused(0, "any", "rollcall-enter: this program is for a job's user, not for root\n", "root");
    end_task(&task);
}

static void enters_users_below(void)
{
    struct play task;
    struct play play;
    char child[16];

    begin_task(&task, OWNER, "job_1/step_0", NESTED);
    begin(&play, OWNER, "any", SHOW_LINKS);
    says(&play, task.said, "it is in the task's own users, too");
    begin(&play, OWNER, "any", "echo $(id -u) $(grep CapEff /proc/self/status)");
    says(&play, "65534 CapEff: 0000000000000000", "with the rights that it has there");
    end_task(&task);
    begin_task(&task, OWNER, "job_1/step_0", TWO_LEVELS);
    is_refused(OWNER, "any", "the job's tasks have 2 containers", "one within another");
    child_of((int)task.pid, child, sizeof child);
    child_of(atoi(child), child, sizeof child);
    begin(&play, OWNER, child, SHOW_LINKS);
    says(&play, task.said, "the inner one is entered through the outer one");
    end_task(&task);
}

static void enters_another_root(void)
{
    struct play task;
    struct play beside;
    struct play play;

    begin_task(&task, OWNER, "job_1/step_0", CHROOTED);
    begin(&play, OWNER, "any", "cat /mark; pwd");
    says(&play, "it", "the root directory is the task's");
    begin_task(&beside, OWNER, "job_1/step_0", UNSHARED);
    begin(&play, OWNER, "any", "cat /mark");
    says(&play, "it", "a container with a root of its own has precedence");
    play_end(&beside);
    play_begin(&play, OWNER,
               (const char *const[]){"/usr/bin/env", "SHELL=/nowhere/zsh", "SSH_ORIGINAL_COMMAND=echo $0; cat /mark",
                                     enter, "--session", "--task", "any", NULL});
    play_hear(&play);
    says(&play, "it", "a shell that it does not have is /bin/sh");
    end_task(&task);
}

static void refuses_several(void)
{
    struct play one;
    struct play other;
    struct play play;
    char child[16];

    begin_task(&one, OWNER, "job_1/step_0", UNSHARED);
    begin_task(&other, OWNER, "job_1/step_1", UNSHARED);
    is_refused(OWNER, "any",
               "rollcall-enter: the job's tasks have 2 containers, so name a process of one: ", "two containers");
    child_of((int)other.pid, child, sizeof child);
    begin(&play, OWNER, child, SHOW_LINKS);
    says(&play, other.said, "the one that is named is entered");
    play_end(&one);
    end_task(&other);
}

static void looks_at_tasks_of_its_job_only(void)
{
    struct play play;
    char child[16];

    begin_task(&play, OWNER, "job_2/step_0", UNSHARED);
    is_refused(OWNER, "any", "no task of the job on this node runs in a container\n", "another job's");
    child_of((int)play.pid, child, sizeof child);
    is_refused(OWNER, child, " is not in a task of this session's job\n", "another job's process");
    end_task(&play);
    begin_task(&play, OWNER, "job_1/step_extern", UNSHARED);
    is_refused(OWNER, "any", "no task of the job on this node runs in a container\n", "a session's");
    end_task(&play);
    begin_task(&play, OTHER, "job_1/step_0", UNSHARED);
    is_refused(OWNER, "any", "no task of the job on this node runs in a container\n", "another user's");
    end_task(&play);
    begin_task(&play, OWNER, "job_1/step_0", "echo $$; read end");
    is_refused(OWNER, play.said, " runs in no container\n", "a task without one");
    move_to("..");
    is_refused(OWNER, "any", "rollcall-enter: this session is in no job\n", "outside of jobs");
    move_to("job_1/step_extern");
    end_task(&play);
}

static void leaves_out_what_root_made(void)
{
    struct play task;
    struct play play;

    begin_task(&task, 0, "job_1/step_0", IN_ROOTS_IPC);
    begin(&play, OWNER, "any", "readlink /proc/self/ns/mnt");
    says(&play, task.said, "a namespace of root's keeps nobody out of the container");
    end_task(&task);
    begin_task(&task, 0, "job_1/step_0", IN_ROOTS_PIDS);
    is_refused(OWNER, "any", "rollcall-enter: cannot join pid namespace of process ", "processes of root's namespace");
    end_task(&task);
}

static void refuses_roots(void)
{
    struct play task;

    begin_task(&task, 0, "job_1/step_0", OF_ROOT);
    is_refused(OWNER, "any", " was made by root, without a user namespace: no user can enter it\n",
               "as a setuid program makes it");
    end_task(&task);
    begin_task(&task, 0, "job_1/step_0", PRIVATE_DIRECTORY);
    is_refused(OWNER, "any", "no task of the job on this node runs in a container\n", "private directories of root's");
    end_task(&task);
}

/* A user namespace of root's, in which a process of the owner runs. */
static pid_t begin_in_roots(void)
{
    int made[2];
    int mapped[2];
    char path[64];
    char letter;
    pid_t pid;

    must(pipe2(made, O_CLOEXEC), "pipe");
    must(pipe2(mapped, O_CLOEXEC), "pipe");
    move_to("job_1/step_0");
    pid = fork();
    must(pid, "fork");
    if (pid == 0) {
        must(unshare(CLONE_NEWUSER | CLONE_NEWNS), "unshare");
        must((int)write(made[1], "", 1), "write");
        must((int)read(mapped[0], &letter, 1), "read");
        must(setresgid(OWNER, OWNER, OWNER), "setresgid");
        must(setresuid(OWNER, OWNER, OWNER), "setresuid");
        execl("/bin/sh", "sh", "-c", "kill -STOP $$", (char *)NULL);
        _exit(99);
    }
    move_to("job_1/step_extern");
    must((int)read(made[0], &letter, 1), "read");
    snprintf(path, sizeof path, "/proc/%d/uid_map", (int)pid);
    must(scene_write(path, "0 0 65536") ? 0 : -1, path);
    snprintf(path, sizeof path, "/proc/%d/gid_map", (int)pid);
    must(scene_write(path, "0 0 65536") ? 0 : -1, path);
    must((int)write(mapped[1], "", 1), "write");
    must(waitpid(pid, NULL, WUNTRACED), "waitpid");
    for (int i = 0; i < 2; i++) {
        close(made[i]);
        close(mapped[i]);
    }
    return pid;
}

static void refuses_roots_users(void)
{
    pid_t pid = begin_in_roots();
    char number[16];

    snprintf(number, sizeof number, "%d", (int)pid);
    is_refused(OWNER, number, "to this user\n", "a user namespace of root's");
    is_refused(OWNER, "any", "to this user\n", "any");
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

/* As sshd begins its forced command. With NULL there is no such variable, or no option. */
static void begin_session(struct play *play, uid_t user, const char *asked, const char *site)
{
    char variable[64];
    const char *words[9] = {
        "/usr/bin/env", "-i", "SHELL=/bin/sh",
        "SSH_ORIGINAL_COMMAND=readlink /proc/self/ns/mnt; echo ${ROLLCALL_TASK_CONTAINER-none} >&2"};
    size_t count = 4;

    snprintf(variable, sizeof variable, "ROLLCALL_TASK_CONTAINER=%s", asked == NULL ? "" : asked);
    if (asked != NULL)
        words[count++] = variable;
    words[count++] = enter;
    words[count++] = "--session";
    if (site != NULL) {
        words[count++] = "--task";
        words[count++] = site;
    }
    words[count] = NULL;
    play_begin(play, user, words);
}

static void is_in(uid_t user, const char *asked, const char *site, const char *links, bool inside, const char *what)
{
    struct play play;

    begin_session(&play, user, asked, site);
    play_hear(&play);
    tap(play.said[0] != '\0' && (strstr(links, play.said) != NULL) == inside, "%s: %s", what, play.said);
    play_end(&play);
    tap(play_ended(&play, 0, "none\n"), "its shell is not told");
}

static void begins_sessions(void)
{
    struct play task;
    struct play other;
    struct play play;
    char child[16];

    is_in(OWNER, NULL, "any", "", false, "by the site, without a container a session is outside");
    begin_session(&play, OWNER, "any", NULL);
    refused(&play, "rollcall-enter: no task of the job on this node runs in a container\n",
            "a user who asks for one is refused");
    begin_task(&task, OWNER, "job_1/step_0", UNSHARED);
    child_of((int)task.pid, child, sizeof child);
    is_in(OWNER, NULL, "any", task.said, false, "by the site, namespaces without a root of their own do not count");
    is_in(OWNER, NULL, NULL, task.said, false, "by default it is outside");
    is_in(OWNER, "", NULL, task.said, false, "an empty choice is none");
    is_in(OWNER, "any", NULL, task.said, true, "the user may choose it");
    is_in(OWNER, child, NULL, task.said, true, "by a number, too");
    is_in(0, NULL, "any", task.said, false, "root stays outside");
    begin_session(&play, 0, "any", NULL);
    refused(&play, "this program is for a job's user, not for root\n", "root cannot choose");
    begin_session(&play, OWNER, "it", NULL);
    refused(&play, "ROLLCALL_TASK_CONTAINER is it: any, none or the number of a process is needed\n", "another word");
    end_task(&task);
    begin_task(&task, OWNER, "job_1/step_0", CHROOTED);
    is_in(OWNER, NULL, "any", task.said, true, "by the site it is inside of a container with a root of its own");
    is_in(OWNER, "none", "any", task.said, false, "unless the user wants none");
    begin_task(&other, OWNER, "job_1/step_1", CHROOTED);
    begin_session(&play, OWNER, NULL, "any");
    refused(&play, "the job's tasks have 2 containers", "with two it is refused");
    tap(strcmp(play_complaint(&play),
               "rollcall-enter: to stay outside of containers: ssh -o SetEnv=ROLLCALL_TASK_CONTAINER=none")
            == 0,
        "with the way out");
    play_end(&other);
    end_task(&task);
}

static int test(void)
{
    enter = scene_program(enter);
    make_tree();
    move_to("job_1/step_extern");
    enters_what_enroot_makes();
    enters_users_below();
    enters_another_root();
    refuses_several();
    looks_at_tasks_of_its_job_only();
    leaves_out_what_root_made();
    refuses_roots();
    refuses_roots_users();
    begins_sessions();
    remove_tree();
    return tap_done();
}

int main(int count, char **words)
{
    enter = count > 1 ? words[1] : "target/rollcall-enter";
    return scene_run(test);
}
