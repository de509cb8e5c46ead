#include "descriptors.h"

#include <unistd.h>

void descriptors_close(struct descriptors *descriptors)
{
    for (size_t i = 0; i < descriptors->count; i++)
        close(descriptors->fds[i]);
    descriptors->count = 0;
}
