#include "owner.h"

#include <grp.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <unistd.h>

/* The kernel takes capabilities along with the effective user 0, unless told not to (capabilities(7)); a new user
 * namespace begins with the usual bits again. */
bool owner_become(uid_t uid, gid_t gid, struct problem *problem)
{
    if (prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP, 0, 0, 0) < 0 || setgroups(0, NULL) < 0 || setegid(gid) < 0
        || seteuid(uid) < 0)
        return problem_set(problem, "cannot become the owner %u:%u: %m", (unsigned)uid, (unsigned)gid);
    return true;
}

bool owner_be_root_again(struct problem *problem)
{
    if (seteuid(0) == 0 && setegid(0) == 0)
        return true;
    return problem_set(problem, "cannot become root again: %m");
}
