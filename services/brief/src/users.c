#include "users.h"

#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NEEDED_MS 4000 /* less than the 5 s of the hooks */
#define SHOWN_MS 1000

static bool look_up(const char *name, uint32_t uid, struct user *user)
{
    const struct passwd *known = name != NULL ? getpwnam(name) : getpwuid(uid);

    if (known == NULL)
        return false;
    user->uid = known->pw_uid;
    user->gid = known->pw_gid;
    if (strlen(known->pw_name) < USER_NAME_MAX)
        strcpy(user->name, known->pw_name);
    return true;
}

/* A name service may wait for ever in the library of a directory. So another process asks, which can be killed. */
static enum users within(int milliseconds, const char *name, uint32_t uid, struct user *user)
{
    struct user found = {0};
    struct pollfd answer = {.events = POLLIN};
    enum users result = USERS_SILENT;
    ssize_t length;
    int ends[2];
    pid_t child;

    if (pipe(ends) != 0)
        return USERS_SILENT;
    child = fork();
    if (child == 0) {
        length = look_up(name, uid, &found) ? write(ends[1], &found, sizeof found) : write(ends[1], "", 1);
        _exit(length > 0 ? 0 : 1);
    }
    close(ends[1]);
    answer.fd = ends[0];
    if (child > 0 && poll(&answer, 1, milliseconds) == 1) {
        length = read(ends[0], &found, sizeof found);
        if (length == (ssize_t)sizeof found)
            *user = found;
        result = length == (ssize_t)sizeof found ? USERS_FOUND : length == 1 ? USERS_NOBODY : USERS_SILENT;
    }
    close(ends[0]);
    if (child > 0) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    return result;
}

enum users users_find(const char *name, uint32_t uid, struct user *user, struct failure *failure)
{
    enum users result = within(NEEDED_MS, name, uid, user);
    char number[16];

    snprintf(number, sizeof number, "%u", (unsigned)uid);
    if (result == USERS_SILENT)
        failure_set(failure, STATUS_UNAVAILABLE,
                    "the name service (nsswitch.conf) did not answer for user '%s' within %d s",
                    name != NULL ? name : number, NEEDED_MS / 1000);
    return result;
}

void users_name(uint32_t uid, char name[USER_NAME_MAX])
{
    struct user user;

    if (within(SHOWN_MS, NULL, uid, &user) == USERS_FOUND && user.name[0] != '\0')
        strcpy(name, user.name);
    else
        snprintf(name, USER_NAME_MAX, "%u", (unsigned)uid);
}
