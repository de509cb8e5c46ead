/* The cases of contract/decisions, whose answers AdoptPolicy's own test reads too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boottime.h"
#include "cases.h"
#include "decision.h"
#include "tap.h"

#define ARROW " -> "

static void play(char *line)
{
    char answer[256];
    char *wanted = strstr(line, ARROW);

    if (wanted == NULL) {
        tap(false, "a case has an answer: %s", line);
        return;
    }
    *wanted = '\0';
    wanted += strlen(ARROW);
    if (!case_answer(line, answer, sizeof answer))
        tap(false, "this is a case: %s", line);
    else if (!tap(strcmp(answer, wanted) == 0, "%s: %s", line, wanted))
        tap_say("found: %s", answer);
}

static void play_all(const char *file)
{
    char line[4096];
    FILE *in = fopen(file, "r");

    if (in == NULL) {
        perror(file);
        exit(1);
    }
    while (fgets(line, sizeof line, in) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != '\0' && line[0] != '#')
            play(line);
    }
    fclose(in);
}

static void knows_when_it_started(void)
{
    struct problem problem = {""};
    uint64_t start = 0;
    uint64_t now = boottime_now();

    tap(boottime_of_start(BOOTTIME_SELF, &start, &problem) && start <= now && now - start < 60000000000ULL,
        "this process started within the last minute");
    tap(!boottime_of_start("/proc/self/cgroup", &start, &problem) && problem.text[0] != '\0',
        "another file has no start time");
    tap(!boottime_of_start("/proc/self/nothing", &start, &problem), "a file that is not there has none");
}

int main(int count, char **arguments)
{
    play_all(count > 1 ? arguments[1] : "contract/decisions");
    knows_when_it_started();
    return tap_done();
}
