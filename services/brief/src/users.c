#include "users.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct passwd *users_find(const char *key)
{
    const struct passwd *user =
        strspn(key, "0123456789") == strlen(key) ? getpwuid((uid_t)strtoul(key, NULL, 10)) : getpwnam(key);

    return user == NULL || strlen(user->pw_name) >= USER_NAME_MAX ? NULL : user;
}

void users_name(uint32_t uid, char name[USER_NAME_MAX])
{
    const struct passwd *user = getpwuid(uid);

    if (user != NULL && strlen(user->pw_name) < USER_NAME_MAX)
        strcpy(name, user->pw_name);
    else
        snprintf(name, USER_NAME_MAX, "%u", (unsigned)uid);
}
