/* clang-format off */
/* rollcall-enter: runs a session's command in the namespaces of a job whose mounts belong to a user namespace of its
 * own. A root process never goes there, as the job's user could have arranged what it finds; so this is executed as
 * that user, after privileges were dropped.
 *
 *   rollcall-enter --user WHERE --mount WHERE [--pid WHERE] [--ipc WHERE] [--uts WHERE] [--net WHERE]
 *                  [--cgroup WHERE] -- COMMAND [ARGUMENT]...
 *   rollcall-enter --pins DIRECTORY -- COMMAND [ARGUMENT]...
 *   rollcall-enter --session
 *
 * WHERE is a path or the number of an inherited descriptor. DIRECTORY has files user and mnt, and may have pid, ipc,
 * uts, net and cgroup, each a namespace that was bound there; it and all above it have to be searchable by the user
 * (0711 and root's is enough; it need not be readable, and a pinned namespace is 0444). All are opened before the
 * first is joined: users, pid, ipc, uts, net, cgroup, mounts.
 *
 * The user namespace must belong to this process's effective user and be a child of its own: that gives all
 * capabilities in it (user_namespaces(7)), which is the right to join the others. See --owner of rollcall-namespaces.
 * The command has those capabilities no more, unless the maps make the user root in there (execve(2),
 * capabilities(7)). No secret is kept from it: what this program does the user may do with a program of their own.
 *
 * --session is for sshd's ForceCommand: the session becomes what sshd would have made of it, $SHELL -c
 * "$SSH_ORIGINAL_COMMAND", or the login shell where there is no such command; SHELL is the user's shell by sshd,
 * /bin/sh where it is empty. With ROLLCALL_CONTAINER, which the PAM module sets, that is done in the namespaces
 * pinned in the directory it names, or not at all. Neither it nor SSH_ORIGINAL_COMMAND is left to the shell. A user
 * who sets ROLLCALL_CONTAINER enters what is theirs. Without it root may come here, too.
 *
 * The command runs in the working directory of the same name, or in / where there is none. With a pid namespace it is
 * a child: signals go to it, and its exit status or signal becomes this program's. 125: not entered; 126: the command
 * cannot be run; 127: there is no such command. */
/* clang-format on */
#include <stdlib.h>
#include <unistd.h>

#include "complaint.h"
#include "enter_options.h"
#include "entry.h"
#include "relay.h"
#include "shell.h"

static bool is_no_root(struct problem *problem)
{
    if (getuid() != 0 && geteuid() != 0)
        return true;
    problem_set(problem, "this program is for a job's user, not for root");
    return false;
}

static int enter(const struct enter_options *options, const struct command *command, struct problem *problem)
{
    struct entry entry;

    if (!is_no_root(problem) || !entry_open(&entry, options, problem) || !entry_go(&entry, options, problem))
        return EXIT_NOT_ENTERED;
    return entry.fds[KIND_PID] < 0 ? relay_become(command, problem) : relay_run(command, problem);
}

static int begin_session(struct problem *problem)
{
    struct enter_options options = {.pins = getenv("ROLLCALL_CONTAINER")};
    struct shell shell;

    if (!shell_of_session(&shell, problem))
        return EXIT_NOT_RUN;
    unsetenv("ROLLCALL_CONTAINER");
    return options.pins == NULL ? relay_become(&shell.command, problem) : enter(&options, &shell.command, problem);
}

static int begin(int count, char **words, struct problem *problem)
{
    struct enter_options options;

    if (!enter_options_parse(&options, count, words, problem))
        return EXIT_NOT_ENTERED;
    if (options.session)
        return begin_session(problem);
    return enter(&options, &(struct command){.program = options.command[0], .words = options.command}, problem);
}

int main(int count, char **words)
{
    struct problem problem = {""};
    int status = begin(count, words, &problem);

    if (problem.text[0] != '\0')
        complaint_write("rollcall-enter", problem.text);
    return status;
}
