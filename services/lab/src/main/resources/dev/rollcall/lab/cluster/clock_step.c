/* Preloaded into a program, it steps the program's wall clock by the seconds that the file named
 * by ROLLCALL_CLOCK_STEP holds, at any time. CLOCK_MONOTONIC stays, as it does when an
 * administrator or ntpd steps the real one. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef int clock_reader(clockid_t, struct timespec *);

static clock_reader *kernels;
static const volatile int64_t *step;

static void look(void)
{
    const char *name = getenv("ROLLCALL_CLOCK_STEP");
    int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    void *page = MAP_FAILED;
    if (file >= 0) {
        page = mmap(0, sizeof *step, PROT_READ, MAP_SHARED, file, 0);
        close(file);
    }
    step = page == MAP_FAILED ? 0 : page;
    kernels = (clock_reader *)dlsym(RTLD_NEXT, "clock_gettime");
}

__attribute__((constructor)) static void begin(void)
{
    look();
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    if (!kernels)
        look();
    int failed = kernels(clock, now);
    if (!failed && step && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += *step;
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec fine;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &fine))
        return -1;
    now->tv_sec = fine.tv_sec;
    now->tv_usec = fine.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *into)
{
    struct timespec fine;
    time_t now = clock_gettime(CLOCK_REALTIME, &fine) ? (time_t)-1 : fine.tv_sec;
    if (into)
        *into = now;
    return now;
}
