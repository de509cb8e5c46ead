/*
 * Does the same work again and again, and tells how much longer it took than it takes.
 *
 *   quanta SECONDS    prints for each second: nanoseconds lost, and the longest that one quantum was held up
 *
 * A quantum is about 100 us of arithmetic. What the median quantum takes is what the work takes; one that takes over
 * 1 us longer was interrupted, and all that is over is lost: to the kernel's tick, to interrupts, and to whoever else
 * runs on this processor.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_SECONDS = 3600, CALIBRATION = 1000, INTERRUPTED_NS = 1000 };

static const int64_t SECOND = 1000000000;
static const int64_t QUANTUM = 100000;

static int64_t now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (int64_t)at.tv_sec * SECOND + at.tv_nsec;
}

static volatile uint64_t result;

static void work(int rounds)
{
    uint64_t value = result + 1;
    for (int i = 0; i < rounds; i++)
        value = value * 6364136223846793005u + 1442695040888963407u;
    result = value;
}

static int ascending(const void *one, const void *other)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

/* How many rounds take a quantum, by the fastest of some tries. */
static int calibrated(void)
{
    int64_t least = SECOND;
    for (int i = 0; i < CALIBRATION; i++) {
        int64_t start = now();
        work(CALIBRATION);
        int64_t took = now() - start;
        if (took < least)
            least = took;
    }
    return (int)(QUANTUM * CALIBRATION / (least > 0 ? least : 1));
}

int main(int argc, char **argv)
{
    long seconds = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
    if (seconds < 1 || seconds > MOST_SECONDS) {
        fprintf(stderr, "usage: quanta SECONDS, 1 to %d\n", MOST_SECONDS);
        return 2;
    }
    int rounds = calibrated();
    /* None is much shorter than a quantum; twice as many as should fit, for a processor that gets faster meanwhile. */
    size_t most = (size_t)seconds * (size_t)(SECOND / QUANTUM) * 2, count = 0;
    int64_t *took = calloc(most, sizeof *took), *sorted = calloc(most, sizeof *sorted);
    if (took == NULL || sorted == NULL) {
        fprintf(stderr, "quanta: no memory\n");
        return 1;
    }
    /* Written once before, so that the kernel gives no page while it counts. */
    for (size_t i = 0; i < most; i++)
        took[i] = sorted[i] = 1;
    int64_t start = now(), at = start;
    while (count < most && at - start < seconds * SECOND) {
        work(rounds);
        int64_t then = now();
        took[count++] = then - at;
        at = then;
    }
    for (size_t i = 0; i < count; i++)
        sorted[i] = took[i];
    qsort(sorted, count, sizeof *sorted, ascending);
    int64_t median = sorted[count / 2], lost = 0, longest = 0, passed = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t over = took[i] - median;
        if (over > INTERRUPTED_NS)
            lost += over;
        if (over > longest)
            longest = over;
        passed += took[i];
        if (passed >= SECOND) {
            printf("%lld %lld\n", (long long)lost, (long long)longest);
            lost = longest = 0;
            passed -= SECOND;
        }
    }
    free(took);
    free(sorted);
    return 0;
}
