/* The users that this machine knows, by its name service. */
#ifndef ROLLCALL_USERS_H
#define ROLLCALL_USERS_H

#include <stdbool.h>
#include <stdint.h>

#include "options.h"

#define USER_NAME_MAX 256

/* The user that --user or --uid names. False: none is named, or nobody has this name. */
bool users_uid(const struct options *options, uint32_t *uid);

/* The user's name, or the number where nobody knows it. */
void users_name(uint32_t uid, char name[USER_NAME_MAX]);

#endif
