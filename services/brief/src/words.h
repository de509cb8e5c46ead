/* The words that this program has: what each asks, and how it prints what it hears. As cli.WhoisCommand,
 * cli.JobCommands and cli.ConnectCommand. */
#ifndef ROLLCALL_WORDS_H
#define ROLLCALL_WORDS_H

#include <stdbool.h>

#include "failure.h"
#include "options.h"

/* How a word ended. */
enum outcome {
    OUTCOME_SAID,   /* with this status; what there was to say is on standard output */
    OUTCOME_FAILED, /* and the failure says why */
    OUTCOME_JAVAS   /* nothing was done or printed: the command in Java is to say it */
};

enum outcome whois_run(const struct options *options, struct failure *failure);

enum outcome job_begin_run(const struct options *options, struct failure *failure);

/* The status is in failure: a job whose processes stay is told on standard output. */
enum outcome job_end_run(const struct options *options, struct failure *failure);

enum outcome connect_run(const struct options *options, struct failure *failure);

#endif
