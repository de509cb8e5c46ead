/* Descriptors that came beside a reply. The caller closes them. */
#ifndef ROLLCALL_DESCRIPTORS_H
#define ROLLCALL_DESCRIPTORS_H

#include <stddef.h>

/* More than the agent has reason to send; the kernel closes those that do not fit (unix(7), MSG_CTRUNC). */
#define DESCRIPTORS_MAX 16

struct descriptors {
    int fds[DESCRIPTORS_MAX]; /* close-on-exec */
    size_t count;
};

void descriptors_close(struct descriptors *descriptors);

#endif
