/* The command line of rollcall-namespaces, one word a line of the input. */
#include "create_options.h"

#include <sched.h>
#include <string.h>

#include "target.h"

#define WORDS_MAX 64
#define ALL_KINDS (CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNET | CLONE_NEWCGROUP)

static void demand_sound(const struct create_options *options)
{
    demand(options->mount != NULL && options->mount[0] != '\0', "there is no mount namespace to begin in");
    demand(options->flags != 0 && (options->flags & ~ALL_KINDS) == 0, "the flags are not those of kinds");
    demand(options->name != NULL && strlen(options->name) <= CREATE_TITLE_MAX, "the title is too long");
    demand(options->timeout_ms >= 1 && options->timeout_ms <= CREATE_TIMEOUT_MS_MAX,
           "the deadline is out of its bounds");
    demand(!options->has_owner
               || ((options->flags & CLONE_NEWUSER) != 0 && options->uid != (uid_t)-1 && options->gid != (gid_t)-1),
           "the owner is one that setresuid(2) takes for no change");
    demand(options->root_count <= CREATE_CGROUPS_MAX && options->cgroup_count <= CREATE_CGROUPS_MAX,
           "there are more cgroups than there is room for");
    demand(options->also_uids.count <= MAPS_RANGES_MAX && options->also_gids.count <= MAPS_RANGES_MAX,
           "there are more ranges than there is room for");
    for (size_t i = 0; i < options->also_uids.count; i++)
        demand(options->also_uids.all[i].first > 0 && options->also_uids.all[i].count > 0,
               "a range has root or nobody");
    for (size_t i = 0; i < options->root_count; i++)
        demand(options->cgroup_roots[i] != NULL && options->cgroup_roots[i][0] != '\0', "a cgroup has no path");
    for (size_t i = 0; i < options->cgroup_count; i++)
        demand(options->cgroup_procs[i] != NULL && options->cgroup_procs[i][0] != '\0', "a cgroup has no path");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    char *text = malloc(length + 1);
    char *rest = text;
    char *words[WORDS_MAX];
    int count = 0;
    struct create_options options;
    struct problem problem = {""};

    demand(text != NULL, "no memory");
    memcpy(text, bytes, length);
    text[length] = '\0';
    for (char *word = strsep(&rest, "\n"); word != NULL && count < WORDS_MAX; word = strsep(&rest, "\n"))
        words[count++] = word;
    if (create_options_parse(&options, count, words, &problem))
        demand_sound(&options);
    else
        demand(problem.text[0] != '\0', "a refused command line has no reason");
    free(text);
    return 0;
}
