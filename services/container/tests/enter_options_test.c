/* The command line of rollcall-enter. */
#include <string.h>

#include "enter_options.h"
#include "tap.h"

#define WORDS_MAX 20

static struct enter_options options;
static struct problem problem;

static bool parse(const char *line)
{
    static char text[512];
    static char *words[WORDS_MAX + 1];
    int count = 0;
    char *rest = text;

    strcpy(text, line[0] == '\0' ? "rollcall-enter" : "rollcall-enter ");
    strncat(text, line, sizeof text - strlen(text) - 1);
    for (char *word = strsep(&rest, " "); word != NULL && count < WORDS_MAX; word = strsep(&rest, " "))
        words[count++] = strcmp(word, "_") == 0 ? word + 1 : word;
    words[count] = NULL;
    problem.text[0] = '\0';
    return enter_options_parse(&options, count, words, &problem);
}

static void refused(const char *line, const char *why)
{
    tap(!parse(line) && strcmp(problem.text, why) == 0, "\"%s\" is refused: %s", line, problem.text);
}

int main(void)
{
    tap(parse("--user 5 --mount /m --pid /p -- sh -c --user") && strcmp(options.where[KIND_USER], "5") == 0
            && strcmp(options.where[KIND_MOUNT], "/m") == 0 && strcmp(options.where[KIND_PID], "/p") == 0
            && options.where[KIND_NET] == NULL && options.pins == NULL && strcmp(options.command[0], "sh") == 0
            && strcmp(options.command[2], "--user") == 0 && options.command[3] == NULL,
        "what follows -- is the command's");
    tap(parse("--cgroup a --net b --uts c --ipc d --pid e --mount f --user g -- true")
            && strcmp(options.where[KIND_CGROUP], "a") == 0 && strcmp(options.where[KIND_USER], "g") == 0,
        "all kinds are taken, in any order");
    tap(parse("--pins /run/job/42 -- true") && strcmp(options.pins, "/run/job/42") == 0, "pins are taken");
    tap(parse("--session") && options.session && options.command == NULL, "a session needs nothing beside");
    refused("--session -- true",
            "option --session allows no other option but --task any: the rest is in the environment");
    refused("--pins p --session",
            "option --session allows no other option but --task any: the rest is in the environment");
    refused("--session --task 12",
            "option --session allows no other option but --task any: the rest is in the environment");
    tap(parse("--session --task any") && options.session && strcmp(options.task, "any") == 0,
        "a session can be for a task's container");
    tap(parse("--task 4711 -- true") && strcmp(options.task, "4711") == 0 && options.command != NULL,
        "a task is named by a process");
    tap(parse("--task any") && options.command == NULL, "in its container there is a shell without a command");
    refused("--task any --", "no command follows --");
    refused("--task 0", "option --task has the value 0, but needs any or the number of a process");
    refused("--task -1", "option --task has the value -1, but needs any or the number of a process");
    refused("--task 1234567890", "option --task has the value 1234567890, but needs any or the number of a process");
    refused("--task any --pins p -- true", "option --task includes all namespaces, so no others may be named");
    refused("--task any --user a -- true", "option --task includes all namespaces, so no others may be named");
    refused("", "no command follows --");
    refused("--pins /p", "no command follows --");
    refused("--pins /p --", "no command follows --");
    refused("--pins /p true", "option true is unknown");
    refused("--frob x -- true", "option --frob is unknown");
    refused("--pins", "option --pins has no value");
    refused("--pins _ -- true", "option --pins has no value");
    refused("--user a --user b --mount c -- true", "option --user is given twice");
    refused("--user a -- true", "options --user and --mount are both needed, or --pins");
    refused("--mount a -- true", "options --user and --mount are both needed, or --pins");
    refused("-- true", "options --user and --mount are both needed, or --pins");
    refused("--pins p --pid a -- true", "option --pins includes all namespaces, so no others may be named");
    return tap_done();
}
