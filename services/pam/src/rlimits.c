#include "rlimits.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static bool set(const rollcall_loginsocket_v1_SessionRlimit *wanted, struct problem *problem)
{
    struct rlimit limit = {.rlim_cur = wanted->soft, .rlim_max = wanted->hard};
    struct rlimit now;

    /* The C library's type for the first argument is an enumeration; the kernel refuses a number that it does not know
     * (EINVAL). */
    if (setrlimit((__rlimit_resource_t)wanted->resource, &limit) < 0)
        return problem_set(problem, "cannot set rlimit %u to %llu:%llu: %m", (unsigned)wanted->resource,
                           (unsigned long long)wanted->soft, (unsigned long long)wanted->hard);
    if (getrlimit((__rlimit_resource_t)wanted->resource, &now) < 0 || now.rlim_cur != limit.rlim_cur
        || now.rlim_max != limit.rlim_max)
        return problem_set(problem, "rlimit %u did not become %llu:%llu", (unsigned)wanted->resource,
                           (unsigned long long)wanted->soft, (unsigned long long)wanted->hard);
    return true;
}

bool rlimits_set(const rollcall_loginsocket_v1_LoginReply *reply, struct problem *problem)
{
    for (pb_size_t i = 0; i < reply->rlimits_count; i++) {
        if (!set(&reply->rlimits[i], problem))
            return false;
    }
    return true;
}

bool rlimits_reset_oom_score(struct problem *problem)
{
    int file = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
    char old[2] = "";
    bool reset = file >= 0 && ((pread(file, old, 2, 0) == 2 && memcmp(old, "0\n", 2) == 0) || write(file, "0", 1) == 1);

    if (!reset)
        problem_set(problem, "oom_score_adj remains: %m");
    if (file >= 0)
        close(file);
    return reset;
}
