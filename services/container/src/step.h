/* The life of a step: its command, and beside it the process that root started. */
#ifndef ROLLCALL_STEP_H
#define ROLLCALL_STEP_H

#include "problem.h"
#include "step_options.h"

/* Returns the status to exit with, and the problem if the command could not be run. */
int step_run(const struct step_options *options, struct problem *problem);

#endif
