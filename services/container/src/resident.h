/* The process in the new namespaces. With a pid namespace it is that one's process 1 and stays as long as the job has
 * its container; without one it is there only until the namespaces are pinned. */
#ifndef ROLLCALL_RESIDENT_H
#define ROLLCALL_RESIDENT_H

#include <stdbool.h>

struct resident {
    int line;          /* its end of the talk with the launcher */
    int null;          /* /dev/null as the node has it, not as the job's mounts do */
    int flags;         /* of clone(2), with which it was made */
    const char *title; /* may point into the words */
    int word_count;    /* argv, for the title */
    char **words;
};

/* The rest of the process's life. It ends when the launcher does, up to the word to stay. */
_Noreturn void resident_live(const struct resident *resident);

#endif
