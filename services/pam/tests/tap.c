#include "tap.h"

#include <stdarg.h>
#include <stdio.h>

static int count;
static int failures;

bool tap(bool holds, const char *format, ...)
{
    va_list arguments;

    printf("%sok %d - ", holds ? "" : "not ", ++count);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
    failures += !holds;
    return holds;
}

void tap_say(const char *format, ...)
{
    va_list arguments;

    printf("# ");
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

int tap_done(void)
{
    printf("1..%d\n", count);
    return failures == 0 && count > 0 ? 0 : 1;
}
