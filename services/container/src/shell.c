#include "shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool shell_of_session(struct shell *shell, struct problem *problem)
{
    const char *program = getenv("SHELL");
    static char dash_c[] = "-c";
    char *command = getenv("SSH_ORIGINAL_COMMAND");
    const char *name;
    int length;

    if (program == NULL || program[0] == '\0')
        program = "/bin/sh";
    name = strrchr(program, '/') == NULL ? program : strrchr(program, '/') + 1;
    length = snprintf(shell->name, sizeof shell->name, "%s%s", command == NULL ? "-" : "", name);
    if (length < 0 || (size_t)length >= sizeof shell->name)
        return problem_set(problem, "SHELL %.80s... is too long", program);
    unsetenv("SSH_ORIGINAL_COMMAND");
    shell->words[0] = shell->name;
    shell->words[1] = command == NULL ? NULL : dash_c;
    shell->words[2] = command;
    shell->words[3] = NULL;
    shell->command = (struct command){.program = program, .words = shell->words};
    return true;
}

void shell_settle(struct shell *shell)
{
    if (access(shell->command.program, X_OK) == 0)
        return;
    shell->command.program = "/bin/sh";
    snprintf(shell->name, sizeof shell->name, "%ssh", shell->name[0] == '-' ? "-" : "");
}
