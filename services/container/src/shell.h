/* What sshd runs for a session that has no forced command. */
#ifndef ROLLCALL_SHELL_H
#define ROLLCALL_SHELL_H

#include <limits.h>
#include <stdbool.h>

#include "problem.h"
#include "relay.h"

struct shell {
    struct command command;
    char name[NAME_MAX + 2]; /* its argv[0]: of a login shell with '-' before it */
    char *words[4];
};

/* From SHELL and SSH_ORIGINAL_COMMAND, the latter of which is taken out of the environment. Points into the structure
 * and the environment. */
bool shell_of_session(struct shell *shell, struct problem *problem);

/* Takes /bin/sh instead where the user's shell is not there: a container of another system need not have it. */
void shell_settle(struct shell *shell);

#endif
