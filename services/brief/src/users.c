#include "users.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>

bool users_uid(const struct options *options, uint32_t *uid)
{
    const struct passwd *user = options->user == NULL ? NULL : getpwnam(options->user);

    *uid = user != NULL ? user->pw_uid : options->uid;
    return options->user == NULL ? options->has_uid : user != NULL;
}

void users_name(uint32_t uid, char name[USER_NAME_MAX])
{
    const struct passwd *user = getpwuid(uid);

    if (user != NULL && strlen(user->pw_name) < USER_NAME_MAX)
        strcpy(name, user->pw_name);
    else
        snprintf(name, USER_NAME_MAX, "%u", (unsigned)uid);
}
