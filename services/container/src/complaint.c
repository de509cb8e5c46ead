#include "complaint.h"

#include <stdio.h>
#include <unistd.h>

void complaint_write(const char *program, const char *text)
{
    char line[512];
    int length = snprintf(line, sizeof line - 1, "%s: %s", program, text);

    if (length >= (int)sizeof line - 1)
        length = (int)sizeof line - 2;
    for (int i = 0; i < length; i++) {
        if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
            line[i] = '?';
    }
    line[length++] = '\n';
    if (write(STDERR_FILENO, line, (size_t)length) < 0)
        return;
}
