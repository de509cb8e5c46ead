/* The launcher's part: from the options to a resident process that needs it no more. */
#ifndef ROLLCALL_LAUNCH_H
#define ROLLCALL_LAUNCH_H

#include <stdbool.h>

#include "create_options.h"
#include "problem.h"

/* True once the agent has read that all is ready. False with the problem, and no process left. The words are argv. */
bool launch(const struct create_options *options, int word_count, char **words, struct problem *problem);

#endif
