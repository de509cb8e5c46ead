/* The users that this machine knows, by its name service. */
#ifndef ROLLCALL_USERS_H
#define ROLLCALL_USERS_H

#include <stdbool.h>
#include <stdint.h>

#include "failure.h"
#include "options.h"

#define USER_NAME_MAX 256

struct user {
    uint32_t uid;
    uint32_t gid;
    char name[USER_NAME_MAX];
};

enum users {
    USERS_FOUND,
    USERS_NOBODY,
    USERS_SILENT /* the name service does not answer */
};

/* Finds a user by name, or if that is NULL by uid. Waits 4 s at most; then the failure names the name service. */
enum users users_find(const char *name, uint32_t uid, struct user *user, struct failure *failure);

/* The user's name, or the number where nobody knows it, or not within 1 s. To be called once. */
void users_name(uint32_t uid, char name[USER_NAME_MAX]);

#endif
