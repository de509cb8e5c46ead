/* clang-format off */
/* rollcall-namespaces: makes a job's namespaces beyond that of its mounts, for the agent, whose process has too many
 * threads to do so: unshare(2) refuses CLONE_NEWUSER to a process of several, and CLONE_NEWPID is for children only.
 *
 *   rollcall-namespaces create --mount WHERE [--pid] [--user [--owner UID:GID [--also-uids FIRST:COUNT]...
 *                              [--also-gids FIRST:COUNT]...]] [--ipc] [--uts] [--net]
 *                              [--cgroup [--cgroup-root FILE]...] [--name TITLE] [--cgroup-procs FILE]...
 *                              [--timeout-ms N]
 *
 * WHERE is the job's mount namespace M, made by the agent, as a path (/proc/PID/fd/N, a pin) or the number of an
 * inherited descriptor. It must be of the user namespace that this program is in, and not the mount namespace that it
 * is in. At least one kind is to be named.
 *
 *   stdout  made PID    all namespaces are there, and the process with this number is in all of them
 *   stdin   go          after PID's uid_map and gid_map were written, with --user, and without --pid the namespaces
 *                       were pinned
 *   stdout  ready       and status 0 afterwards: with --pid, PID stays; without, it is gone
 *
 * With any other status than 0 nothing stays, and stderr has one line that says why. So it is when stdin ends before
 * go, when N milliseconds have passed (10000 where nothing is said), and when this process is killed. Lines that
 * begin with "note:" are no failure.
 *
 * --pid   PID is process 1 of a new pid namespace: it reaps orphans for as long as it lives, and killing it (SIGKILL,
 *         from outside) kills all in there. It has a fresh /proc (nosuid,nodev,noexec) in the job's mount namespace,
 *         oom_score_adj -999, a session of its own, no descriptors but /dev/null, no capabilities, and TITLE as its
 *         name. It cannot be traced, nor its /proc/PID/ns be read, without CAP_SYS_PTRACE outside.
 * --user  a new user namespace, together with a copy of M that belongs to it, as do all others made at once; M itself
 *         is left alone. The maps are the agent's to write; go without is refused. It belongs to root, or to --owner.
 *         Only from root and from the owner, of all outside, can a process enter it without rights: so for sessions
 *         to enter by rollcall-enter, it has to be the job's user's, made with that effective user. The price is that
 *         any process of that user on the node enters it with all capabilities in it: it can become any user that is
 *         mapped, unmount the fresh /proc (the mounts copied from M are locked and stay), and kill PID, and so its
 *         own container. The map of all users to themselves would make it the node's root. So with an owner other
 *         than root, go is refused unless each map has the owner's own number, and no others but those that
 *         --also-uids and --also-gids allow: the owner's subordinate numbers. setgroups is denied before "made".
 *         Beginning with Linux 6.18 a mount namespace may get a number that the agent's kernel will not bind where the
 *         agent is (order.h): the copy is made on a processor where it gets a good one. M itself is the agent's to make
 *         so.
 * --net   with loopback up. Nothing else is set up in it.
 * --cgroup  its root is where this program is when it is made, so name the job's: each --cgroup-root FILE, a
 *         cgroup.procs, is written 0 first. On cgroup v2 it has to be one whose controllers are not passed on below
 *         yet: after that it can hold no process.
 *
 * Each --cgroup-procs FILE says where the processes are to be: this one, and PID. Without --cgroup-root that is
 * written first.
 *
 * Linked statically: from the moment it is in M nothing is opened there, no library, no table of names, no locale;
 * /dev/null, /proc and the cgroups are opened before. Only the two mount(2) calls on /proc follow a path of M's. */
/* clang-format on */
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "complaint.h"
#include "create_options.h"
#include "launch.h"

/* Time for what poll(2) cannot bound: the agent does not read, a process in there cannot be killed. */
#define GRACE_S 2

/* Whatever the caller ignores or blocks. A reader that is gone is told by write(2). */
static void begin(const struct create_options *options)
{
    sigset_t none;

    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_DUMPABLE, 0);
    alarm((unsigned)options->timeout_ms / 1000 + GRACE_S);
}

int main(int count, char **words)
{
    struct create_options options;
    struct problem problem = {""};
    bool done = create_options_parse(&options, count, words, &problem);

    if (done) {
        begin(&options);
        done = launch(&options, count, words, &problem);
    }
    if (!done)
        complaint_write("rollcall-namespaces", problem.text);
    return done ? 0 : 1;
}
