#include "title.h"

#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

/* The kernel lays the words out one after the other (proc(5), /proc/PID/cmdline). */
void title_set(const char *title, int count, char **words)
{
    char copy[64];
    size_t size;
    size_t length;

    length = (size_t)snprintf(copy, sizeof copy, "%s", title);
    length = length < sizeof copy ? length : sizeof copy - 1;
    prctl(PR_SET_NAME, copy);
    if (count == 0)
        return;
    size = (size_t)(words[count - 1] + strlen(words[count - 1]) - words[0]);
    memset(words[0], '\0', size);
    memcpy(words[0], copy, length < size ? length : size);
}
