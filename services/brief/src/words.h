/* The subcommands that this program has: each calls the agent and prints the answer. As cli.WhoisCommand,
 * cli.JobCommands and cli.ConnectCommand. */
#ifndef ROLLCALL_WORDS_H
#define ROLLCALL_WORDS_H

#include <stdbool.h>

#include "failure.h"
#include "options.h"

/* How a subcommand ended. */
enum outcome {
    OUTCOME_PRINTED, /* with the status in failure; all output is on standard output */
    OUTCOME_FAILED,  /* the failure has the reason */
    OUTCOME_FOR_JAVA /* nothing was done or printed: the command in Java runs instead */
};

enum outcome whois_run(const struct options *options, struct failure *failure);

enum outcome job_begin_run(const struct options *options, struct failure *failure);

/* Processes that remain in the job are printed on standard output, and the status is STATUS_FAILED. */
enum outcome job_end_run(const struct options *options, struct failure *failure);

enum outcome connect_run(const struct options *options, struct failure *failure);

#endif
