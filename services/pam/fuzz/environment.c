/* The name of a variable that the agent wants to put into a session. */
#include "environment.h"

#include <ctype.h>
#include <string.h>

#include "target.h"

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    char *name = malloc(length + 1);

    demand(name != NULL, "no memory");
    memcpy(name, bytes, length);
    name[length] = '\0';
    if (environment_allows(name)) {
        demand(name[0] != '\0' && !isdigit((unsigned char)name[0]), "a name that begins so is allowed");
        for (const char *at = name; *at != '\0'; at++)
            demand(isascii((unsigned char)*at) && (isalnum((unsigned char)*at) || *at == '_'),
                   "a name with such a character is allowed");
        demand(!begins(name, "LD_") && !begins(name, "BASH_") && !begins(name, "SSH_") && !begins(name, "MALLOC_")
                   && strcmp(name, "PATH") != 0 && strcmp(name, "GCONV_PATH") != 0 && strcmp(name, "IFS") != 0
                   && strcmp(name, "ENV") != 0,
               "a name that a loader or a shell obeys is allowed");
    }
    free(name);
    return 0;
}
