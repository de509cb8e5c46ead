/* Carries bytes between a connection and a pair of streams. As cli.StreamRelay: the end of what we read is told to the
 * far end, which may go on; the far end's end is the end of it all, as ssh wants of a ProxyCommand. */
#ifndef ROLLCALL_CARRY_H
#define ROLLCALL_CARRY_H

#include <stdbool.h>

/* Returns when the far end has ended, and everything it said is written. The connection must be one that waits. False:
 * a way broke, and *why says how. */
bool carry(int connection, int in, int out, const char **why);

#endif
