/* Carries bytes between a connection and a pair of streams. As cli.StreamRelay: the end of the input is sent to the
 * far end, which may go on; the end of the far end ends it all, as ssh wants of a ProxyCommand. */
#ifndef ROLLCALL_CARRY_H
#define ROLLCALL_CARRY_H

#include <stdbool.h>

/* Returns when the far end has ended, and all its bytes are written. The connection must be a blocking one. False: a
 * direction broke, and *why has the reason. */
bool carry(int connection, int in, int out, const char **why);

#endif
