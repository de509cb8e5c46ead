/* What a process gets from the one that started it, and a user's process must not have of root's. */
#ifndef ROLLCALL_INHERITANCE_H
#define ROLLCALL_INHERITANCE_H

#include <stdbool.h>

#include "problem.h"

/* Closes each descriptor from 3 on, by /proc/self/fd. Those of 0 to 2 that are closed become /dev/null. */
bool inheritance_close(struct problem *problem);

/* Gives this process a new, empty session keyring (keyctl(2)). A kernel without keyrings, or a filter that forbids
 * the call to this process and its children, has none to protect. */
bool inheritance_new_keyring(struct problem *problem);

#endif
