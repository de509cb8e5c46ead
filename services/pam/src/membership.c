#include "membership.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* One read(2) has it all: the kernel makes the text as a whole (single_open of fs/seq_file.c). */
bool membership_read(const char *file, char text[MEMBERSHIP_MAX], struct problem *problem)
{
    ssize_t length;
    int fd = open(file, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return problem_set(problem, "cannot open %.96s: %m", file);
    do
        length = read(fd, text, MEMBERSHIP_MAX);
    while (length < 0 && errno == EINTR);
    if (length < 0)
        problem_set(problem, "cannot read %.96s: %m", file);
    else if (length == MEMBERSHIP_MAX)
        problem_set(problem, "%.96s is longer than %d bytes", file, MEMBERSHIP_MAX - 1);
    else
        text[length] = '\0';
    close(fd);
    return length >= 0 && length < MEMBERSHIP_MAX;
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
static const char *path_in(const char *line, const char *end, const char *hierarchy)
{
    const char *controllers = memchr(line, ':', (size_t)(end - line));
    const char *stop = controllers != NULL ? memchr(controllers + 1, ':', (size_t)(end - controllers - 1)) : NULL;

    if (stop == NULL)
        return NULL;
    if (hierarchy[0] == '\0' && (controllers - line != 1 || line[0] != '0'))
        return NULL;
    return lists(controllers + 1, stop, hierarchy) ? stop + 1 : NULL;
}

const char *membership_path(const char *text, const char *hierarchy, size_t *length)
{
    while (*text != '\0') {
        const char *end = strchrnul(text, '\n');
        const char *path = path_in(text, end, hierarchy);

        if (path != NULL) {
            *length = (size_t)(end - path);
            return path;
        }
        text = *end != '\0' ? end + 1 : end;
    }
    return NULL;
}

bool membership_shown(const char *file, const char *hierarchy, const char *path, struct problem *problem)
{
    char text[MEMBERSHIP_MAX];
    size_t length = 0;
    const char *shown;

    if (path[0] != '/' || strchr(hierarchy, ',') != NULL)
        return problem_set(problem, "the agent named no cgroup: \"%.32s\" \"%.64s\"", hierarchy, path);
    if (!membership_read(file, text, problem))
        return false;
    shown = membership_path(text, hierarchy, &length);
    if (shown == NULL)
        return problem_set(problem, "%.64s shows no hierarchy \"%.32s\"", file, hierarchy);
    if (strlen(path) == length && memcmp(shown, path, length) == 0)
        return true;
    return problem_set(problem, "the process is in %.*s, not in %.64s", (int)(length < 64 ? length : 64), shown, path);
}
