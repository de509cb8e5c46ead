/* The command line of rollcall-namespaces. */
#include <sched.h>
#include <string.h>

#include "create_options.h"
#include "tap.h"

#define WORDS_MAX 40

static struct create_options options;
static struct problem problem;

/* The words are separated by one blank each; "_" is an empty one. */
static bool parse(const char *line)
{
    static char text[1024];
    char *words[WORDS_MAX];
    int count = 0;
    char *rest = text;

    strcpy(text, "rollcall-namespaces ");
    strncat(text, line, sizeof text - strlen(text) - 1);
    for (char *word = strsep(&rest, " "); word != NULL && count < WORDS_MAX; word = strsep(&rest, " "))
        words[count++] = strcmp(word, "_") == 0 ? word + 1 : word;
    problem.text[0] = '\0';
    return create_options_parse(&options, count, words, &problem);
}

static void refused(const char *line, const char *why)
{
    tap(!parse(line) && strcmp(problem.text, why) == 0, "\"%s\" is refused: %s", line, problem.text);
}

static void good(void)
{
    tap(parse("create --mount /run/m --pid") && strcmp(options.mount, "/run/m") == 0 && options.flags == CLONE_NEWPID
            && strcmp(options.name, "rollcall") == 0 && !options.has_owner && options.timeout_ms == 10000
            && options.cgroup_count == 0,
        "what is not said has its default");
    tap(parse("create --user --ipc --uts --net --cgroup --pid --mount 7")
            && options.flags
                   == (CLONE_NEWUSER | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNET | CLONE_NEWCGROUP | CLONE_NEWPID),
        "all kinds are taken, in any order");
    tap(parse("create --mount m --user --owner 1000:0 --name rollcall:42 --timeout-ms 1") && options.has_owner
            && options.uid == 1000 && options.gid == 0 && strcmp(options.name, "rollcall:42") == 0
            && options.timeout_ms == 1,
        "owner, name and time are taken");
    tap(parse("create --mount m --cgroup --cgroup-procs /a --cgroup-procs /b") && options.cgroup_count == 2
            && strcmp(options.cgroup_procs[0], "/a") == 0 && strcmp(options.cgroup_procs[1], "/b") == 0,
        "several cgroups are taken");
    tap(parse("create --mount m --cgroup --cgroup-root /r --cgroup-procs /a") && options.root_count == 1
            && strcmp(options.cgroup_roots[0], "/r") == 0 && options.cgroup_count == 1,
        "a root is taken");
    tap(parse("create --mount m --user --owner 5:6 --also-uids 100000:65536 --also-uids 7:1 --also-gids 9:2")
            && options.also_uids.count == 2 && options.also_uids.all[0].first == 100000
            && options.also_uids.all[0].count == 65536 && options.also_uids.all[1].first == 7
            && options.also_gids.count == 1 && options.also_gids.all[0].count == 2,
        "subordinate users and groups are taken");
    tap(parse("create --mount --pid --pid") && strcmp(options.mount, "--pid") == 0,
        "the word after an option is its value");
}

static void bad(void)
{
    refused("", "the first argument must be create");
    refused("destroy --mount m --pid", "the first argument must be create");
    refused("create --mount m --frob", "option --frob is unknown");
    refused("create --mount m --time", "option --time is unknown");
    refused("create m", "option m is unknown");
    refused("create --mount", "option --mount has no value");
    refused("create --mount _ --pid", "option --mount is empty");
    refused("create --mount m --mount n --pid", "option --mount is given twice");
    refused("create --pid", "option --mount is missing");
    refused("create --mount m", "no namespace is named: give --pid, --user, --ipc, --uts, --net or --cgroup");
    refused("create --mount m --pid --owner 1:1", "option --owner has no meaning without --user");
    refused("create --mount m --name _ --pid", "option --name is empty");
    refused("create --mount m --name a\tb --pid", "option --name takes at most 63 visible characters and no blanks");
    refused("create --mount m --cgroup-procs _ --pid", "option --cgroup-procs is empty");
    refused("create --mount m --pid --cgroup-root /r", "option --cgroup-root has no meaning without --cgroup");
    for (size_t i = 0; i < 7; i++) {
        static const char *const OWNERS[] = {"root", "1", "1:", ":1", "1:1:1", "-1:1", "4294967295:1"};
        char line[128] = "create --mount m --user --owner ";
        char why[128] = "option --owner takes UID:GID in numbers, not ";

        refused(strcat(line, OWNERS[i]), strcat(why, OWNERS[i]));
    }
    refused("create --mount m --user --also-uids 1:1",
            "options --also-uids and --also-gids have no meaning without --owner");
    for (size_t i = 0; i < 6; i++) {
        static const char *const RANGES[] = {"0:1", "1", "1:0", "4294967294:2", "-1:1", "a:b"};
        char line[128] = "create --mount m --user --owner 1:1 --also-gids ";
        char why[128] = "option --also-gids takes FIRST:COUNT in numbers, not ";

        refused(strcat(line, RANGES[i]), strcat(why, RANGES[i]));
    }
    for (size_t i = 0; i < 5; i++) {
        static const char *const TIMES[] = {"0", "-1", "10s", "86400001", "99999999999999999999"};
        char line[128] = "create --mount m --pid --timeout-ms ";
        char why[128] = "option --timeout-ms takes 1 to 86400000, not ";

        refused(strcat(line, TIMES[i]), strcat(why, TIMES[i]));
    }
}

static void too_many(void)
{
    char line[1024] = "create --mount m --cgroup";

    for (int i = 0; i < CREATE_CGROUPS_MAX; i++)
        strcat(line, " --cgroup-procs c");
    tap(parse(line) && options.cgroup_count == CREATE_CGROUPS_MAX, "sixteen cgroups are taken");
    refused(strcat(line, " --cgroup-procs c"), "option --cgroup-procs is given more than 16 times");
}

int main(void)
{
    good();
    bad();
    too_many();
    return tap_done();
}
