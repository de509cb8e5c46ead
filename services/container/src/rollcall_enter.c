/* clang-format off */
/* rollcall-enter: runs a session's command in the namespaces of a job whose mounts belong to a user namespace of its
 * own. A root process never goes there, as the job's user could have arranged what it finds; so this is executed as
 * that user, after privileges were dropped.
 *
 *   rollcall-enter --user WHERE --mount WHERE [--pid WHERE] [--ipc WHERE] [--uts WHERE] [--net WHERE]
 *                  [--cgroup WHERE] -- COMMAND [ARGUMENT]...
 *   rollcall-enter --pins DIRECTORY -- COMMAND [ARGUMENT]...
 *   rollcall-enter --task WHICH [-- COMMAND [ARGUMENT]...]
 *   rollcall-enter --session [--task any]
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
 * --task enters the container that a task of this process's job runs in, as enroot, podman and apptainer make it. It is
 * found among the user's own processes in /proc: WHICH is the number of one, or "any" where there is only one
 * container. Namespaces that it did not make are not joined. Without a command a shell is run.
 *
 * --session is for sshd's ForceCommand: the session becomes what sshd would have made of it, $SHELL -c
 * "$SSH_ORIGINAL_COMMAND", or the login shell where there is no such command; SHELL is the user's shell by sshd,
 * /bin/sh where it is empty. With ROLLCALL_CONTAINER, which the PAM module sets, that is done in the namespaces
 * pinned in the directory it names, or not at all. Neither it nor SSH_ORIGINAL_COMMAND is left to the shell. A user
 * who sets ROLLCALL_CONTAINER enters what is theirs. Without it root may come here, too. With ROLLCALL_TASK_CONTAINER,
 * which the user sends, the session enters the container of a task instead, or nothing is run: its value is WHICH, or
 * "none". Without this variable --task any does the same, for containers with a root directory of their own, and a job
 * without one is no reason to refuse.
 *
 * The command runs in the working directory of the same name, or in / where there is none. With a pid namespace it is
 * a child: signals go to it, and its exit status or signal becomes this program's. 125: not entered; 126: the command
 * cannot be run; 127: there is no such command. */
/* clang-format on */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "complaint.h"
#include "enter_options.h"
#include "entry.h"
#include "relay.h"
#include "shell.h"
#include "task_search.h"

static bool is_no_root(struct problem *problem)
{
    if (getuid() != 0 && geteuid() != 0)
        return true;
    return problem_set(problem, "this program is for a job's user, not for root");
}

static int run_inside(const struct entry *entry, const struct command *command, struct problem *problem)
{
    return entry->fds[KIND_PID] < 0 ? relay_become(command, problem) : relay_run(command, problem);
}

static int enter(const struct enter_options *options, const struct command *command, struct problem *problem)
{
    struct entry entry;

    if (!is_no_root(problem) || !entry_open(&entry, options, problem) || !entry_go(&entry, options, problem))
        return EXIT_NOT_ENTERED;
    return run_inside(&entry, command, problem);
}

static int go_to_task(const struct task *task, struct shell *shell, const struct command *command,
                      struct problem *problem)
{
    struct entry entry;

    entry_of_task(&entry, task);
    if (!entry_go(&entry, NULL, problem))
        return EXIT_NOT_ENTERED;
    if (command != NULL)
        return run_inside(&entry, command, problem);
    shell_settle(shell);
    return run_inside(&entry, &shell->command, problem);
}

static int enter_task(const struct enter_options *options, struct problem *problem)
{
    struct command command = {.program = options->command == NULL ? NULL : options->command[0],
                              .words = options->command};
    struct task task;
    struct shell shell;
    pid_t pid;

    enter_options_process(options->task, &pid);
    if (!is_no_root(problem) || task_find(&task, pid, NULL, problem) != TASK_FOUND)
        return EXIT_NOT_ENTERED;
    if (options->command == NULL && !shell_of_session(&shell, problem))
        return EXIT_NOT_RUN;
    return go_to_task(&task, &shell, options->command == NULL ? NULL : &command, problem);
}

/* The user's word, and else the site's. */
static enum task_search find_for_session(struct task *task, const struct enter_options *options,
                                         struct problem *problem)
{
    const char *asked = getenv("ROLLCALL_TASK_CONTAINER");
    const char *which = asked != NULL && asked[0] != '\0' ? asked : options->task;
    enum task_search result;
    pid_t pid;

    if (which == NULL || strcmp(which, "none") == 0 || (which != asked && geteuid() == 0))
        return TASK_NONE;
    if (!enter_options_process(which, &pid)) {
        problem_set(problem, "ROLLCALL_TASK_CONTAINER is %.40s: any, none or the number of a process is needed", which);
        return TASK_REFUSED;
    }
    if (!is_no_root(problem))
        return TASK_REFUSED;
    result = task_find(task, which == asked ? pid : TASK_ROOTED, options->pins, problem);
    if (result != TASK_NONE || which == asked)
        return result == TASK_NONE ? TASK_REFUSED : result;
    problem->text[0] = '\0';
    return TASK_NONE;
}

/* The reason first, then the way out for a user who did not ask for a container. */
static void refuse_for_site(struct problem *problem)
{
    complaint_write("rollcall-enter", problem->text);
    problem_set(problem, "to stay outside of containers: ssh -o SetEnv=ROLLCALL_TASK_CONTAINER=none");
}

static int begin_session(const struct enter_options *given, struct problem *problem)
{
    struct enter_options options = {.pins = getenv("ROLLCALL_CONTAINER"), .task = given->task};
    struct shell shell;
    struct task task;
    enum task_search found;
    bool asked;

    if (!shell_of_session(&shell, problem))
        return EXIT_NOT_RUN;
    asked = getenv("ROLLCALL_TASK_CONTAINER") != NULL;
    found = find_for_session(&task, &options, problem);
    unsetenv("ROLLCALL_CONTAINER");
    unsetenv("ROLLCALL_TASK_CONTAINER");
    switch (found) {
    case TASK_FOUND:
        return go_to_task(&task, &shell, NULL, problem);
    case TASK_REFUSED:
        if (!asked)
            refuse_for_site(problem);
        return EXIT_NOT_ENTERED;
    case TASK_NONE:
        break;
    }
    return options.pins == NULL ? relay_become(&shell.command, problem) : enter(&options, &shell.command, problem);
}

static int begin(int count, char **words, struct problem *problem)
{
    struct enter_options options;

    if (!enter_options_parse(&options, count, words, problem))
        return EXIT_NOT_ENTERED;
    if (options.session)
        return begin_session(&options, problem);
    if (options.task != NULL)
        return enter_task(&options, problem);
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
