/* rollcall-enter: runs a session's command in the namespaces of a job whose mounts belong to a user namespace of its own. A root process never goes there, as the
 * job's user could have arranged what it finds; so this is executed as that user, after privileges were dropped.
 *
 *   rollcall-enter --user WHERE --mount WHERE [--pid WHERE] [--ipc WHERE] [--uts WHERE] [--net WHERE] [--cgroup WHERE] -- COMMAND [ARGUMENT]...
 *   rollcall-enter --pins DIRECTORY -- COMMAND [ARGUMENT]...
 *
 * WHERE is a path or the number of an inherited descriptor. DIRECTORY has files user and mnt, and may have pid, ipc, uts, net and cgroup, each a namespace that
 * was bound there; it and all above it have to be searchable by the user (0711 and root's is enough; it need not be readable, and a pinned namespace is 0444).
 * All are opened before the first is joined: users, pid, ipc, uts, net, cgroup, mounts.
 *
 * The user namespace must belong to this process's effective user and be a child of its own: that gives all capabilities in it (user_namespaces(7)), which is the
 * right to join the others. See --owner of rollcall-namespaces. The command has those capabilities no more, unless the maps make the user root in there
 * (execve(2), capabilities(7)). No secret is kept from it: what this program does the user may do with a program of their own.
 *
 * The command runs in the working directory of the same name, or in / where there is none. With a pid namespace it is a child: signals go to it, and its exit
 * status or signal becomes this program's. 125: not entered; 126: the command cannot be run; 127: there is no such command. */
#include <unistd.h>

#include "complaint.h"
#include "enter_options.h"
#include "entry.h"
#include "relay.h"

static bool is_no_root(struct problem *problem)
{
    if (getuid() != 0 && geteuid() != 0)
        return true;
    problem_set(problem, "this is for a job's user, not for root");
    return false;
}

static int enter(int count, char **words, struct problem *problem)
{
    struct enter_options options;
    struct entry entry;

    if (!enter_options_parse(&options, count, words, problem) || !is_no_root(problem)
        || !entry_open(&entry, &options, problem))
        return EXIT_NOT_ENTERED;
    if (!entry_go(&entry, &options, problem))
        return EXIT_NOT_ENTERED;
    return entry.fds[KIND_PID] < 0 ? relay_become(options.command, problem) : relay_run(options.command, problem);
}

int main(int count, char **words)
{
    struct problem problem = {""};
    int status = enter(count, words, &problem);

    if (problem.text[0] != '\0')
        complaint_write("rollcall-enter", problem.text);
    return status;
}
