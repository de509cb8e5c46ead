/* A TCP connection to a host by its addresses, one after the other. As cli.Dial. */
#ifndef ROLLCALL_DIAL_H
#define ROLLCALL_DIAL_H

#include <stdint.h>

#include "failure.h"

/* Returns the connection, -1 if there is none within that time. */
int dial(const char *host, uint16_t port, uint64_t within_ms, struct failure *failure);

#endif
