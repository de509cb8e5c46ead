/* Two lines that the agent says, a hierarchy and a path, and then a file in the form of /proc/PID/cgroup. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "membership.h"
#include "target.h"

/* The name of a file with these bytes; the same one for each input. */
static const char *file_of(const char *text, size_t length)
{
    static char name[64];
    static int fd = -1;

    if (fd < 0) {
        fd = memfd_create("cgroup", MFD_CLOEXEC);
        snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    }
    demand(fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, text, length, 0) == (ssize_t)length,
           "the cgroup file cannot be written");
    return name;
}

/* Whether one of the lines ends with ":PATH". */
static bool stands_in(char *text, const char *path)
{
    char *rest = NULL;

    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        size_t all = strlen(line);
        size_t end = strlen(path);

        if (all > end && line[all - end - 1] == ':' && strcmp(line + all - end, path) == 0)
            return true;
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    char *text = malloc(length + 1);
    char *rest = text;
    struct problem problem = {""};
    const char *hierarchy;
    const char *path;

    demand(text != NULL, "no memory");
    memcpy(text, bytes, length);
    text[length] = '\0';
    hierarchy = strsep(&rest, "\n");
    path = rest != NULL ? strsep(&rest, "\n") : "";
    if (rest == NULL)
        rest = text + length;
    if (membership_shown(file_of(rest, (size_t)(text + length - rest)), hierarchy, path, &problem))
        demand(path[0] == '/' && stands_in(rest, path), "a cgroup is shown that is not there");
    else
        demand(problem.text[0] != '\0', "a membership that is not shown has no reason");
    free(text);
    return 0;
}
