/* rollcall-brief LAUNCHER WORD...: the words of the command rollcall that prologs, epilogs and ssh call so often that
 * no JVM should start for them. The launcher, bin/rollcall, hands them over; what is not understood here goes back to
 * it, by ROLLCALL_BRIEF=no, and so to Java. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "options.h"
#include "words.h"

static int leave_to_java(char **words)
{
    setenv("ROLLCALL_BRIEF", "no", 1);
    execv(words[0], words);
    fprintf(stderr, "rollcall: cannot start %s: %m\n", words[0]);
    return STATUS_FAILED;
}

static enum outcome run(const struct options *options, struct failure *failure)
{
    switch (options->word) {
    case WORD_WHOIS:
        return whois_run(options, failure);
    case WORD_BEGIN:
        return job_begin_run(options, failure);
    case WORD_END:
        return job_end_run(options, failure);
    case WORD_CONNECT:
        return connect_run(options, failure);
    }
    return OUTCOME_FOR_JAVA;
}

/* A variable that is empty counts as not set. */
static bool is_set(const char *name)
{
    const char *value = getenv(name);

    return value != NULL && value[0] != '\0';
}

/* A link without a slash at its beginning is no file's name, proc_pid_fd(5). */
static bool is_pipe(void)
{
    char first;

    return readlink("/proc/self/fd/1", &first, 1) == 1 && first != '/';
}

/* A word whose output was cut has failed, unless its reader went away, as head(1) does. As cli.CommandTree. */
static int end_output(struct failure *failure)
{
    bool cut = fflush(stdout) != 0 || ferror(stdout) != 0;

    if (cut && failure->status == STATUS_OK && !is_pipe()) {
        failure_set(failure, STATUS_FAILED, "the output could not be written to its end");
        failure_print(failure);
    }
    return (int)failure->status;
}

int main(int count, char **words)
{
    static struct failure failure;
    struct options options;

    if (count < 2) {
        fputs("rollcall: only bin/rollcall may start this program\n", stderr);
        return STATUS_USAGE;
    }
    /* A gateway is asked over TLS, which is Java's; flags are for a JVM. */
    if (is_set("ROLLCALL_GATEWAY") || is_set("ROLLCALL_CLI_OPTS") || !options_parse(&options, words + 2))
        return leave_to_java(words + 1);
    switch (run(&options, &failure)) {
    case OUTCOME_PRINTED:
        return end_output(&failure);
    case OUTCOME_FAILED:
        return failure_print(&failure);
    case OUTCOME_FOR_JAVA:
        break;
    }
    return leave_to_java(words + 1);
}
