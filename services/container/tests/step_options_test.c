/* The command line of rollcall-step. */
#include <stdlib.h>
#include <string.h>

#include "step_options.h"
#include "tap.h"

#define WORDS_MAX 60

static struct step_options options;
static struct problem problem;

static bool parse(const char *line)
{
    static char text[1024];
    static char *words[WORDS_MAX + 1];
    char *rest = text;
    int count = 0;

    strcpy(text, "rollcall-step ");
    strncat(text, line, sizeof text - strlen(text) - 1);
    for (char *word = strsep(&rest, " "); word != NULL && count < WORDS_MAX; word = strsep(&rest, " "))
        words[count++] = strcmp(word, "_") == 0 ? word + 1 : word;
    words[count] = NULL;
    problem.text[0] = '\0';
    return step_options_parse(&options, count, words, &problem);
}

static void refused(const char *line, const char *why)
{
    tap(!parse(line) && strcmp(problem.text, why) == 0, "\"%s\" is refused: %s", line, problem.text);
}

int main(void)
{
    char many[1024] = "";

    tap(parse("--procs /a --keep HOME --procs /b --uid 4294967294 --keep A_1 -- sh --uid x") && options.procs_count == 2
            && strcmp(options.procs[1], "/b") == 0 && options.owner == 4294967294U
            && strcmp(options.command[0], "sh") == 0 && strcmp(options.command[2], "x") == 0,
        "what follows -- is the command's");
    tap(step_options_keeps(&options, "HOME=/h") && step_options_keeps(&options, "A_1=")
            && step_options_keeps(&options, "PATH=/bin") && step_options_keeps(&options, "LANG=C")
            && step_options_keeps(&options, "LC_TIME=C") && step_options_keeps(&options, "TERM=xterm"),
        "named variables stay, and those of language, terminal and path");
    tap(!step_options_keeps(&options, "HOMEDIR=/h") && !step_options_keeps(&options, "HOM=/h")
            && !step_options_keeps(&options, "LANGUAGE=de") && !step_options_keeps(&options, "TERMCAP=x")
            && !step_options_keeps(&options, "LD_PRELOAD=x") && !step_options_keeps(&options, "x=")
            && !step_options_keeps(&options, "procs=/a"),
        "others do not, though their names begin alike");
    refused("", "option  has no value");
    refused("--", "no command follows --");
    refused("--uid 5", "no command follows --");
    refused("--keep -- true", "option true has no value");
    refused("--uid", "option --uid has no value");
    refused("--procs _ -- true", "option --procs has no value");
    refused("--uid 4294967295 -- true",
            "option --uid has the value 4294967295, but needs a number from 0 to 4294967294");
    refused("--uid -1 -- true", "option --uid has the value -1, but needs a number from 0 to 4294967294");
    refused("--user 5 -- true", "option --user is unknown");
    for (int i = 0; i <= STEP_PROCS_MAX; i++)
        strcat(many, "--procs /a ");
    refused(strcat(many, "-- true"), "option --procs is given more than 16 times");
    return tap_done();
}
