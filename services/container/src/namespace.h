/* One namespace that another process made, by a path or by the number of a descriptor that was inherited. */
#ifndef ROLLCALL_NAMESPACE_H
#define ROLLCALL_NAMESPACE_H

#include <stdbool.h>

#include "kinds.h"
#include "problem.h"

/* Its descriptor, close-on-exec, once the kernel says that it is a namespace of that kind (NS_GET_NSTYPE, Linux 4.11);
 * -1 with the problem otherwise. "where" of digits alone is the number of a descriptor, which is made close-on-exec. */
int namespace_open(enum kind kind, const char *where, struct problem *problem);

/* The same for a file of the directory; absent is set instead of a problem if there is no such file. */
int namespace_open_at(int directory, const char *path, enum kind kind, bool *absent, struct problem *problem);

/* Whether it belongs to the user namespace that this process is in (NS_GET_USERNS, Linux 4.11): no user could have
 * arranged it then. */
bool namespace_is_of_ours(int fd, enum kind kind, const char *where, struct problem *problem);

/* Whether two descriptors are of one namespace. */
bool namespace_is_same(int one, int other);

/* Whether this process is in it. */
bool namespace_is_entered(int fd, enum kind kind);

bool namespace_join(int fd, enum kind kind, const char *where, struct problem *problem);

#endif
