#include "group.h"

#include <grp.h>
#include <limits.h>
#include <unistd.h>

bool group_join(gid_t group, struct problem *problem)
{
    gid_t groups[NGROUPS_MAX + 1]; /* 256 KiB; a login's own list is rarely longer than a few dozen */
    int count = getgroups(NGROUPS_MAX, groups);

    if (count < 0)
        return problem_set(problem, "cannot read the groups: %m");
    for (int i = 0; i < count; i++) {
        if (groups[i] == group)
            return true;
    }
    if (count == NGROUPS_MAX)
        return problem_set(problem, "cannot add the group to %d others", count);
    groups[count] = group;
    if (setgroups((size_t)count + 1, groups) < 0)
        return problem_set(problem, "cannot join group %u: %m", (unsigned)group);
    return true;
}
