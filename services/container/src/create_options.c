#include "create_options.h"

#include <ctype.h>
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kinds.h"

/* Whole and decimal, and not more than most. End: the character that has to follow. */
static bool number(const char *text, char end, unsigned long most, unsigned long *value, const char **rest)
{
    char *after;

    if (!isdigit((unsigned char)text[0]))
        return false;
    errno = 0;
    *value = strtoul(text, &after, 10);
    *rest = after;
    return errno == 0 && *after == end && *value <= most;
}

static bool set_once(const char **to, const char *option, const char *value, struct problem *problem)
{
    if (*to != NULL)
        return problem_set(problem, "option %s is given twice", option);
    if (value[0] == '\0')
        return problem_set(problem, "option %s is empty", option);
    *to = value;
    return true;
}

static bool set_name(struct create_options *options, const char *value, struct problem *problem)
{
    bool good = strlen(value) <= CREATE_TITLE_MAX;

    for (size_t i = 0; value[i] != '\0'; i++)
        good = good && isgraph((unsigned char)value[i]);
    if (!good)
        return problem_set(problem, "option --name takes at most %d visible characters and no blanks",
                           CREATE_TITLE_MAX);
    return set_once(&options->name, "--name", value, problem);
}

/* The greatest number stands for "no change" in setresuid(2). */
static bool set_owner(struct create_options *options, const char *value, struct problem *problem)
{
    unsigned long uid;
    unsigned long gid;
    const char *rest;

    if (!number(value, ':', UINT32_MAX - 1UL, &uid, &rest) || !number(rest + 1, '\0', UINT32_MAX - 1UL, &gid, &rest))
        return problem_set(problem, "option --owner takes UID:GID in numbers, not %.40s", value);
    options->has_owner = true;
    options->uid = (uid_t)uid;
    options->gid = (gid_t)gid;
    return true;
}

/* Root is never a subordinate number. */
static bool add_range(struct id_ranges *ranges, const char *option, const char *value, struct problem *problem)
{
    struct id_range range;
    const char *rest;

    if (!number(value, ':', UINT32_MAX - 1UL, &range.first, &rest)
        || !number(rest + 1, '\0', UINT32_MAX - range.first, &range.count, &rest) || range.first == 0
        || range.count == 0)
        return problem_set(problem, "option %s takes FIRST:COUNT in numbers, not %.40s", option, value);
    if (ranges->count == MAPS_RANGES_MAX)
        return problem_set(problem, "option %s is given more than %d times", option, MAPS_RANGES_MAX);
    ranges->all[ranges->count++] = range;
    return true;
}

static bool set_timeout(struct create_options *options, const char *value, struct problem *problem)
{
    unsigned long milliseconds;
    const char *rest;

    if (!number(value, '\0', CREATE_TIMEOUT_MS_MAX, &milliseconds, &rest) || milliseconds == 0)
        return problem_set(problem, "option --timeout-ms takes 1 to %d, not %.40s", CREATE_TIMEOUT_MS_MAX, value);
    options->timeout_ms = (int)milliseconds;
    return true;
}

static bool add(const char **all, size_t *count, const char *option, const char *value, struct problem *problem)
{
    const char *path = NULL;

    if (*count == CREATE_CGROUPS_MAX)
        return problem_set(problem, "option %s is given more than %d times", option, CREATE_CGROUPS_MAX);
    if (!set_once(&path, option, value, problem))
        return false;
    all[(*count)++] = path;
    return true;
}

/* --pid and its like. Mounts are in a namespace already, so --mount takes a value. */
static int flag_named(const char *word)
{
    for (int i = 0; i < KINDS; i++) {
        if (i != KIND_MOUNT && strncmp(word, "--", 2) == 0 && strcmp(word + 2, kind_word((enum kind)i)) == 0)
            return kind_flag((enum kind)i);
    }
    return 0;
}

static bool takes_value(const char *word)
{
    return strcmp(word, "--mount") == 0 || strcmp(word, "--name") == 0 || strcmp(word, "--owner") == 0
           || strcmp(word, "--timeout-ms") == 0 || strcmp(word, "--cgroup-procs") == 0
           || strcmp(word, "--cgroup-root") == 0 || strcmp(word, "--also-uids") == 0
           || strcmp(word, "--also-gids") == 0;
}

static bool set(struct create_options *options, const char *word, const char *value, struct problem *problem)
{
    if (strcmp(word, "--mount") == 0)
        return set_once(&options->mount, word, value, problem);
    if (strcmp(word, "--name") == 0)
        return set_name(options, value, problem);
    if (strcmp(word, "--owner") == 0)
        return set_owner(options, value, problem);
    if (strcmp(word, "--also-uids") == 0)
        return add_range(&options->also_uids, word, value, problem);
    if (strcmp(word, "--also-gids") == 0)
        return add_range(&options->also_gids, word, value, problem);
    if (strcmp(word, "--timeout-ms") == 0)
        return set_timeout(options, value, problem);
    if (strcmp(word, "--cgroup-root") == 0)
        return add(options->cgroup_roots, &options->root_count, word, value, problem);
    return add(options->cgroup_procs, &options->cgroup_count, word, value, problem);
}

static bool is_whole(struct create_options *options, struct problem *problem)
{
    if (options->mount == NULL)
        return problem_set(problem, "option --mount is missing");
    if (options->flags == 0)
        return problem_set(problem, "no namespace is named: give --pid, --user, --ipc, --uts, --net or --cgroup");
    if (options->has_owner && (options->flags & CLONE_NEWUSER) == 0)
        return problem_set(problem, "option --owner has no meaning without --user");
    if (!options->has_owner && options->also_uids.count + options->also_gids.count > 0)
        return problem_set(problem, "options --also-uids and --also-gids have no meaning without --owner");
    if (options->root_count > 0 && (options->flags & CLONE_NEWCGROUP) == 0)
        return problem_set(problem, "option --cgroup-root has no meaning without --cgroup");
    if (options->name == NULL)
        options->name = "rollcall";
    return true;
}

bool create_options_parse(struct create_options *options, int count, char **words, struct problem *problem)
{
    *options = (struct create_options){.timeout_ms = CREATE_TIMEOUT_MS};
    if (count < 2 || strcmp(words[1], "create") != 0)
        return problem_set(problem, "the first argument must be create");
    for (int i = 2; i < count; i++) {
        int flag = flag_named(words[i]);

        if (flag != 0) {
            options->flags |= flag;
            continue;
        }
        if (!takes_value(words[i]))
            return problem_set(problem, "option %.80s is unknown", words[i]);
        if (i + 1 == count)
            return problem_set(problem, "option %s has no value", words[i]);
        if (!set(options, words[i], words[i + 1], problem))
            return false;
        i++;
    }
    return is_whole(options, problem);
}
