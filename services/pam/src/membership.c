#include "membership.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* v1 has 13 controllers at most, and paths of jobs are short: 16 KiB is several times what a node shows. */
#define FILE_MAX (16 * 1024)

static bool read_whole(const char *file, char *text, size_t size, struct problem *problem)
{
    size_t filled = 0;
    ssize_t length;
    int fd = open(file, O_RDONLY | O_CLOEXEC);

    if (fd < 0) {
        problem_set(problem, "cannot open %.96s: %m", file);
        return false;
    }
    do {
        length = read(fd, text + filled, size - filled);
        if (length > 0)
            filled += (size_t)length;
    } while (filled < size && (length > 0 || (length < 0 && errno == EINTR)));
    if (length < 0)
        problem_set(problem, "cannot read %.96s: %m", file);
    else if (filled >= size)
        problem_set(problem, "%.96s is longer than %zu bytes", file, size - 1);
    else
        text[filled] = '\0';
    close(fd);
    return length == 0 && filled < size;
}

/* One of "cpu,cpuacct"; "" only if the list is empty, as it is on v2's line. */
static bool lists(const char *controllers, const char *end, const char *wanted)
{
    size_t wanted_length = strlen(wanted);

    for (;;) {
        const char *comma = memchr(controllers, ',', (size_t)(end - controllers));
        const char *stop = comma != NULL ? comma : end;

        if ((size_t)(stop - controllers) == wanted_length && memcmp(controllers, wanted, wanted_length) == 0)
            return true;
        if (comma == NULL)
            return false;
        controllers = comma + 1;
    }
}

/* The path in a line "<id>:<controllers>:<path>" of the wanted hierarchy, else NULL. v2's line has the id 0 and no
 * controllers. */
static const char *path_in(const char *line, const char *hierarchy)
{
    const char *controllers = strchr(line, ':');
    const char *end = controllers != NULL ? strchr(controllers + 1, ':') : NULL;

    if (end == NULL)
        return NULL;
    if (hierarchy[0] == '\0' && (controllers - line != 1 || line[0] != '0'))
        return NULL;
    return lists(controllers + 1, end, hierarchy) ? end + 1 : NULL;
}

bool membership_shown(const char *file, const char *hierarchy, const char *path, struct problem *problem)
{
    char text[FILE_MAX];
    char *rest = NULL;

    if (path[0] != '/' || strchr(hierarchy, ',') != NULL) {
        problem_set(problem, "the agent named no cgroup: \"%.32s\" \"%.64s\"", hierarchy, path);
        return false;
    }
    if (!read_whole(file, text, sizeof text, problem))
        return false;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        const char *shown = path_in(line, hierarchy);

        if (shown == NULL)
            continue;
        if (strcmp(shown, path) == 0)
            return true;
        problem_set(problem, "the process is in %.64s, not in %.64s", shown, path);
        return false;
    }
    problem_set(problem, "%.64s shows no hierarchy \"%.32s\"", file, hierarchy);
    return false;
}
