/* Command lines. Those that are Java's are held by BriefContractTest of services/cli, beside what Java says of them. */
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "tap.h"

#define WORDS_MAX 16

/* Words by blanks; they stay until the next call. */
static bool parse(struct options *options, const char *line)
{
    static char *copy;
    static char *words[WORDS_MAX + 1];
    char *rest;
    int count = 0;

    free(copy);
    copy = strdup(line);
    rest = copy;
    for (char *word = strsep(&rest, " "); word != NULL && count < WORDS_MAX; word = strsep(&rest, " "))
        words[count++] = word;
    words[count] = NULL;
    return options_parse(options, words);
}

static void understands(void)
{
    struct options options;

    tap(parse(&options, "whois [fd77::1]:22 [::1]:1 --udp --json --timeout=3 --socket /s"), "whois is understood");
    tap(strcmp(options.source.address, "fd77::1") == 0 && options.source.port == 22
            && strcmp(options.destination.address, "::1") == 0,
        "its ends are written as Java writes them");
    tap(options.udp && options.json && options.timeout == 3 && strcmp(options.socket, "/s") == 0,
        "its options are read");
    tap(parse(&options, "job begin --user alice 7 --gid 0"), "job begin is understood");
    tap(options.job == 7 && options.has_gid && options.gid == 0 && strcmp(options.user, "alice") == 0,
        "its owner and group are read");
    tap(parse(&options, "job end 7 --grace 2m --wait 1500ms --message bye"), "job end is understood");
    tap(options.grace.milliseconds == 120000 && options.wait.milliseconds == 1500, "its times are read");
    tap(parse(&options, "connect node 22 --job 7 --within 5"), "connect is understood");
    tap(options.port == 22 && options.job == 7 && options.within.milliseconds == 5000, "its numbers are read");
}

static void leaves(void)
{
    static const char *const lines[] = {"",          "job",      "job begin", "job end 7 --message", "whois a b",
                                        "connect a", "whois --", "switch 7",  "job end 7 -- 8",      "job end @7"};
    struct options options;

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        tap(!parse(&options, lines[i]), "'%s' is left to Java", lines[i]);
}

int main(void)
{
    understands();
    leaves();
    return tap_done();
}
