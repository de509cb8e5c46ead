#include "enter_options.h"

#include <stdlib.h>
#include <string.h>

bool enter_options_process(const char *text, pid_t *pid)
{
    size_t length = strlen(text);
    bool number = text[0] >= '1' && text[0] <= '9' && length <= 9 && strspn(text, "0123456789") == length;

    *pid = number ? (pid_t)atoi(text) : 0;
    return number || strcmp(text, "any") == 0;
}

static const char **place_of(struct enter_options *options, const char *word)
{
    if (strcmp(word, "--pins") == 0)
        return &options->pins;
    if (strcmp(word, "--task") == 0)
        return &options->task;
    for (int i = 0; i < KINDS; i++) {
        if (strncmp(word, "--", 2) == 0 && strcmp(word + 2, kind_word((enum kind)i)) == 0)
            return &options->where[i];
    }
    return NULL;
}

static bool has_any(const struct enter_options *options)
{
    bool any = false;

    for (int i = 0; i < KINDS; i++)
        any = any || options->where[i] != NULL;
    return any;
}

static bool is_session(const struct enter_options *options, struct problem *problem)
{
    bool alone = options->command == NULL && options->pins == NULL && !has_any(options);

    if (alone && (options->task == NULL || strcmp(options->task, "any") == 0))
        return true;
    return problem_set(problem,
                       "option --session allows no other option but --task any: the rest is in the environment");
}

static bool is_task(const struct enter_options *options, struct problem *problem)
{
    pid_t pid;

    if (!enter_options_process(options->task, &pid))
        return problem_set(problem, "option --task has the value %.40s, but needs any or the number of a process",
                           options->task);
    if (options->pins != NULL || has_any(options))
        return problem_set(problem, "option --task includes all namespaces, so no others may be named");
    if (options->command == NULL || options->command[0] != NULL)
        return true;
    return problem_set(problem, "no command follows --");
}

static bool is_whole(const struct enter_options *options, struct problem *problem)
{
    if (options->session)
        return is_session(options, problem);
    if (options->task != NULL)
        return is_task(options, problem);
    if (options->command == NULL || options->command[0] == NULL)
        return problem_set(problem, "no command follows --");
    if (options->pins != NULL && has_any(options))
        return problem_set(problem, "option --pins includes all namespaces, so no others may be named");
    if (options->pins == NULL && (options->where[KIND_USER] == NULL || options->where[KIND_MOUNT] == NULL))
        return problem_set(problem, "options --user and --mount are both needed, or --pins");
    return true;
}

bool enter_options_parse(struct enter_options *options, int count, char **words, struct problem *problem)
{
    *options = (struct enter_options){.pins = NULL};
    for (int i = 1; i < count && options->command == NULL; i++) {
        const char **place = place_of(options, words[i]);

        if (strcmp(words[i], "--session") == 0) {
            options->session = true;
            continue;
        }
        if (strcmp(words[i], "--") == 0) {
            options->command = words + i + 1;
            continue;
        }
        if (place == NULL)
            return problem_set(problem, "option %.80s is unknown", words[i]);
        if (i + 1 == count || words[i + 1][0] == '\0' || *place != NULL)
            return problem_set(problem, *place != NULL ? "option %s is given twice" : "option %s has no value",
                               words[i]);
        *place = words[++i];
    }
    return is_whole(options, problem);
}
