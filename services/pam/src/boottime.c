#include "boottime.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000U

/* The command's name has 64 bytes at most, each of 51 numbers 20. */
#define STAT_MAX 2048

/* Counted from the first one behind the command's name, which is field 3. */
#define FIELDS_BEFORE_START 19

uint64_t boottime_now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_BOOTTIME, &time); /* cannot fail: the clock is there since Linux 2.6.39 */
    return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

/* False for anything but a decimal number that fits. */
static bool read_ticks(const char *text, uint64_t *ticks)
{
    uint64_t number = 0;
    size_t digits = strspn(text, "0123456789");

    if (digits == 0 || digits > 19)
        return false;
    for (size_t i = 0; i < digits; i++)
        number = number * 10 + (uint64_t)(text[i] - '0');
    *ticks = number;
    return text[digits] == ' ' || text[digits] == '\n';
}

/* The command's name stands in parentheses, and may have some itself, and spaces: the last one ends it. */
static bool find_start(const char *text, uint64_t *ticks)
{
    const char *at = strrchr(text, ')');

    for (int i = 0; at != NULL && i <= FIELDS_BEFORE_START; i++)
        at = strchr(at + 1, ' ');
    return at != NULL && read_ticks(at + 1, ticks);
}

bool boottime_of_start(const char *file, uint64_t *nanoseconds, struct problem *problem)
{
    char text[STAT_MAX];
    long per_second = sysconf(_SC_CLK_TCK);
    uint64_t ticks;
    ssize_t length;
    int fd = open(file, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return problem_set(problem, "cannot open %.96s: %m", file);
    do
        length = read(fd, text, sizeof text - 1);
    while (length < 0 && errno == EINTR);
    close(fd);
    if (length < 0)
        return problem_set(problem, "cannot read %.96s: %m", file);
    text[length] = '\0';
    if (per_second <= 0 || !find_start(text, &ticks) || ticks / (uint64_t)per_second > UINT64_MAX / SECOND - 1)
        return problem_set(problem, "%.96s has no start time", file);
    *nanoseconds =
        ticks / (uint64_t)per_second * SECOND + ticks % (uint64_t)per_second * (SECOND / (uint64_t)per_second);
    return true;
}
