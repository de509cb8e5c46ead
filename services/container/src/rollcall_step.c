/* clang-format off */
/* rollcall-step: runs a command for a user, by root, so that the command gets nothing of root's but what is given.
 *
 *   rollcall-step [--procs FILE]... [--uid UID] [--keep NAME]... -- COMMAND [ARGUMENT]...
 *
 * The command gets a session of its own (setsid(2)), a new and empty session keyring, no descriptor from 3 on, and of
 * the environment PATH, LANG, LC_*, TERM and the variables that --keep names. It is started in the cgroups of the
 * cgroup.procs files. Becoming the user is the command's part: it is setpriv(1).
 *
 * Where one of descriptors 0 to 2 is a terminal, the command gets a new terminal instead of it, which belongs to UID.
 * This process, which is in none of the cgroups, copies between both. Input is copied only if stdin is the terminal,
 * and as long as this process is in the foreground. Other files and pipes are the command's own, and no byte of them
 * changes.
 *
 * Signals go to the command, and its exit status or signal becomes this program's. If there is no terminal at all,
 * this process becomes the command, unless it leads a process group but no session. 125: not started; 126: the command
 * cannot be run; 127: there is no such command. */
/* clang-format on */
#include "complaint.h"
#include "relay.h"
#include "step.h"

int main(int count, char **words)
{
    struct problem problem = {""};
    struct step_options options;
    int status = step_options_parse(&options, count, words, &problem) ? step_run(&options, &problem) : EXIT_NOT_ENTERED;

    if (problem.text[0] != '\0')
        complaint_write("rollcall-step", problem.text);
    return status;
}
