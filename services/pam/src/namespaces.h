/* The job's namespaces, which a session joins. */
#ifndef ROLLCALL_NAMESPACES_H
#define ROLLCALL_NAMESPACES_H

#include <stdbool.h>

#include "descriptors.h"
#include "problem.h"
#include "rollcall/loginsocket/v1/login_socket.pb.h"

/* What came of joining. */
enum joining {
    JOINING_DONE,
    JOINING_NOT_BEGUN, /* this process is where it was */
    JOINING_HALF_DONE, /* it is in some of them: nothing may go on in it */
};

/* The kind of an open namespace. False, and errno says why: it is none (ENOTTY), or of a kind that is not joined
 * (EINVAL). */
bool namespaces_kind(int fd, rollcall_loginsocket_v1_NamespaceKind *kind);

/* Joins all of them, in the reply's order, or none: first each descriptor is looked at. There must be as many as kinds,
 * each of its kind (NS_GET_NSTYPE), and each must belong to the user namespace that this process is in (NS_GET_USERNS,
 * both Linux 4.11): a namespace that a user could arrange is never joined by root. Only a process of one thread can
 * join a mount namespace. No descriptor is closed. */
enum joining namespaces_join(const rollcall_loginsocket_v1_LoginReply *reply, const struct descriptors *descriptors,
                             struct problem *problem);

#endif
