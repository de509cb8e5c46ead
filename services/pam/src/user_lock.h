/* The lock of a user's file: held while a login is decided and carried out, so that a job's end or suspension waits for
 * the login, and the login sees the end. */
#ifndef ROLLCALL_USER_LOCK_H
#define ROLLCALL_USER_LOCK_H

#include <stdint.h>

#include "deadline.h"
#include "problem.h"

/* Takes users/UID.lock of a login directory that is open, shared with other logins, as an open file description lock
 * (fcntl(2), F_OFD_SETLK): the agent's exclusive POSIX lock conflicts with it, and the kernel releases it when its
 * holder ends. The descriptor, whose close releases it; -1, and problem says why: there is no such file of root's, or
 * the agent held the lock until the deadline. */
int user_lock(int directory, uint32_t uid, struct deadline deadline, struct problem *problem);

#endif
