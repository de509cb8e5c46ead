/* The user to whom a new user namespace will belong: the effective one of who makes it (user_namespaces(7)). */
#ifndef ROLLCALL_OWNER_H
#define ROLLCALL_OWNER_H

#include <stdbool.h>
#include <sys/types.h>

#include "problem.h"

/* For the moment of making: rights stay as they are, since some kernels refuse user namespaces to users without. */
bool owner_become(uid_t uid, gid_t gid, struct problem *problem);

bool owner_be_root_again(struct problem *problem);

#endif
