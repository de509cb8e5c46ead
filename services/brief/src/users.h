/* The users that this machine knows, by its name service. */
#ifndef ROLLCALL_USERS_H
#define ROLLCALL_USERS_H

#include <pwd.h>
#include <stdbool.h>
#include <stdint.h>

#define USER_NAME_MAX 256

/* By a name, or by a uid in decimal. NULL: nobody, or too long a name. Overwritten by the next call. */
const struct passwd *users_find(const char *key);

/* The user's name, or the number where nobody knows it. */
void users_name(uint32_t uid, char name[USER_NAME_MAX]);

#endif
