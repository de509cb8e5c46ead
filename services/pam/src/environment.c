#include "environment.h"

#include <stdio.h>
#include <string.h>

/* With a closing zero. */
#define VALUE_MAX 4097

#define NAME_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

static const char *const NEVER[] = {"PATH",       "HOME",        "USER",
                                    "LOGNAME",    "SHELL",       "MAIL",
                                    "IFS",        "ENV",         "PS4",
                                    "SHELLOPTS",  "BASHOPTS",    "PROMPT_COMMAND",
                                    "GCONV_PATH", "GETCONF_DIR", "GLIBC_TUNABLES",
                                    "LOCPATH",    "NLSPATH"};

static const char *const NEVER_BEGINNING[] = {"LD_", "BASH_", "MALLOC_", "SSH_"};

static bool is_kept_back(const char *name)
{
    for (size_t i = 0; i < sizeof NEVER / sizeof *NEVER; i++) {
        if (strcmp(name, NEVER[i]) == 0)
            return true;
    }
    for (size_t i = 0; i < sizeof NEVER_BEGINNING / sizeof *NEVER_BEGINNING; i++) {
        if (strncmp(name, NEVER_BEGINNING[i], strlen(NEVER_BEGINNING[i])) == 0)
            return true;
    }
    return false;
}

bool environment_allows(const char *name)
{
    return name[0] != '\0' && (name[0] < '0' || name[0] > '9') && name[strspn(name, NAME_CHARACTERS)] == '\0'
           && !is_kept_back(name);
}

void environment_put(const struct teller *teller, const rollcall_loginsocket_v1_LoginReply *reply)
{
    pb_size_t next = 0;

    while (next < reply->environment_count) {
        const rollcall_loginsocket_v1_EnvironmentVariable *variable = &reply->environment[next++];
        char assignment[sizeof variable->name + VALUE_MAX];
        size_t length = (size_t)snprintf(assignment, sizeof assignment, "%s=%s", variable->name, variable->value);
        int code;

        /* The rest of its value. */
        for (; next < reply->environment_count && reply->environment[next].name[0] == '\0'; next++) {
            if (length < sizeof assignment)
                length += (size_t)snprintf(assignment + length, sizeof assignment - length, "%s",
                                           reply->environment[next].value);
        }
        if (length >= sizeof assignment || !environment_allows(variable->name)) {
            tell_log(teller, LOG_LEVEL_ERROR, "variable \"%s\" of the agent is not allowed", variable->name);
            continue;
        }
        code = pam_putenv(teller->pam, assignment);
        if (code != PAM_SUCCESS)
            tell_log(teller, LOG_LEVEL_ERROR, "cannot set variable %s: %s", variable->name,
                     pam_strerror(teller->pam, code));
    }
}
