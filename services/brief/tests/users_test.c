/* A name service that never answers. */
#include "users.h"

#include <pwd.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"

/* In place of the C library's. */
struct passwd *getpwnam(const char *name)
{
    (void)name;
    for (;;)
        pause();
}

struct passwd *getpwuid(uid_t uid)
{
    static char name[] = "root";
    static struct passwd root = {.pw_name = name};

    while (uid != 0)
        pause();
    return &root;
}

static void a_name_that_is_shown_is_the_number(void)
{
    char name[USER_NAME_MAX];
    time_t began = time(NULL);

    users_name(4000000000, name);
    tap(strcmp(name, "4000000000") == 0, "the number takes the place of a name");
    tap(time(NULL) - began < 30, "and soon");
    users_name(0, name);
    tap(strcmp(name, "root") == 0, "a name that is known is shown");
}

static void a_user_that_is_needed_is_an_error(void)
{
    static struct failure failure;
    struct user user;

    tap(users_find("alice", 0, &user, &failure) == USERS_SILENT, "a name service that is silent is not a missing user");
    tap(strcmp(failure.line, "the name service (nsswitch.conf) did not answer for user 'alice' within 4 s") == 0,
        "the error names it");
    tap(failure.status == STATUS_UNAVAILABLE, "as no answer in time");
    tap(users_find(NULL, 2001, &user, &failure) == USERS_SILENT && strstr(failure.line, "'2001'") != NULL,
        "a number, too");
}

int main(void)
{
    a_name_that_is_shown_is_the_number();
    a_user_that_is_needed_is_an_error();
    return tap_done();
}
