#include "step_options.h"

#include <stdlib.h>
#include <string.h>

static bool read_owner(struct step_options *options, const char *text, struct problem *problem)
{
    size_t length = strlen(text);
    unsigned long number = strtoul(text, NULL, 10);

    if (length == 0 || length > 10 || strspn(text, "0123456789") != length || number >= (uid_t)-1)
        return problem_set(problem, "option --uid has the value %.40s, but needs a number from 0 to 4294967294", text);
    options->owner = (uid_t)number;
    return true;
}

static bool read_option(struct step_options *options, const char *word, const char *value, struct problem *problem)
{
    if (strcmp(word, "--uid") == 0)
        return read_owner(options, value, problem);
    if (strcmp(word, "--keep") == 0)
        return true;
    if (strcmp(word, "--procs") != 0)
        return problem_set(problem, "option %.80s is unknown", word);
    if (options->procs_count == STEP_PROCS_MAX)
        return problem_set(problem, "option --procs is given more than %d times", STEP_PROCS_MAX);
    options->procs[options->procs_count++] = value;
    return true;
}

bool step_options_parse(struct step_options *options, int count, char **words, struct problem *problem)
{
    int i = 1;

    *options = (struct step_options){.words = words};
    for (; i < count && strcmp(words[i], "--") != 0; i += 2) {
        if (i + 1 == count || words[i + 1][0] == '\0')
            return problem_set(problem, "option %.80s has no value", words[i]);
        if (!read_option(options, words[i], words[i + 1], problem))
            return false;
    }
    if (i + 1 >= count)
        return problem_set(problem, "no command follows --");
    options->count = i;
    options->command = words + i + 1;
    return true;
}

static bool is_named(const char *variable, size_t length, const char *name)
{
    return strlen(name) == length && strncmp(variable, name, length) == 0;
}

bool step_options_keeps(const struct step_options *options, const char *variable)
{
    size_t length = strcspn(variable, "=");
    bool kept = strncmp(variable, "LC_", 3) == 0 || is_named(variable, length, "PATH")
                || is_named(variable, length, "LANG") || is_named(variable, length, "TERM");

    for (int i = 1; i < options->count && !kept; i += 2)
        kept = strcmp(options->words[i], "--keep") == 0 && is_named(variable, length, options->words[i + 1]);
    return kept;
}
