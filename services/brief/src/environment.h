/* Selects the variables that a batch system sets for a job, as cli.BatchEnvironment does. */
#ifndef ROLLCALL_ENVIRONMENT_H
#define ROLLCALL_ENVIRONMENT_H

#include "protobuf.h"

/* Writes the field "environment" of rollcall.v1.Allocation from an environment like environ(7). False: memory is short.
 */
bool environment_put(struct writing *allocation, char *const *environment);

#endif
