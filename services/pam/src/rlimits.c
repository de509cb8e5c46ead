#include "rlimits.h"

#include <sys/resource.h>

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
