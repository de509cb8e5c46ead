#include "namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/nsfs.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "system_calls.h"

/* The flag of clone(2) that stands for the kind; 0 for one that is not joined. */
static int flag_of(rollcall_loginsocket_v1_NamespaceKind kind)
{
    switch (kind) {
    case rollcall_loginsocket_v1_NamespaceKind_NAMESPACE_KIND_MOUNT:
        return CLONE_NEWNS;
    case rollcall_loginsocket_v1_NamespaceKind_NAMESPACE_KIND_PID:
        return CLONE_NEWPID;
    case rollcall_loginsocket_v1_NamespaceKind_NAMESPACE_KIND_NETWORK:
        return CLONE_NEWNET;
    case rollcall_loginsocket_v1_NamespaceKind_NAMESPACE_KIND_IPC:
        return CLONE_NEWIPC;
    case rollcall_loginsocket_v1_NamespaceKind_NAMESPACE_KIND_UTS:
        return CLONE_NEWUTS;
    case rollcall_loginsocket_v1_NamespaceKind_NAMESPACE_KIND_CGROUP:
        return CLONE_NEWCGROUP;
    case rollcall_loginsocket_v1_NamespaceKind_NAMESPACE_KIND_USER:
    case rollcall_loginsocket_v1_NamespaceKind_NAMESPACE_KIND_UNSPECIFIED:
        break;
    }
    return 0;
}

bool namespaces_kind(int fd, rollcall_loginsocket_v1_NamespaceKind *kind)
{
    int type = ioctl(fd, NS_GET_NSTYPE);

    for (int each = _rollcall_loginsocket_v1_NamespaceKind_MIN;
         type >= 0 && each <= _rollcall_loginsocket_v1_NamespaceKind_MAX; each++) {
        if (flag_of((rollcall_loginsocket_v1_NamespaceKind)each) == type) {
            *kind = (rollcall_loginsocket_v1_NamespaceKind)each;
            return true;
        }
    }
    if (type >= 0)
        errno = EINVAL;
    return false;
}

static bool is_owned_by(int namespace, int user_namespace, size_t number, struct problem *problem)
{
    int owner = ioctl(namespace, NS_GET_USERNS);
    bool owned;

    if (owner < 0)
        return problem_set(problem, "cannot find the owner of namespace %zu: %m", number);
    owned = call_same_file(owner, user_namespace);
    close(owner);
    if (!owned)
        problem_set(problem, "namespace %zu belongs to another user namespace", number);
    return owned;
}

static bool is_fit(rollcall_loginsocket_v1_NamespaceKind kind, int fd, int user_namespace, size_t number,
                   struct problem *problem)
{
    int flag = flag_of(kind);
    int type = ioctl(fd, NS_GET_NSTYPE);

    if (flag == 0)
        return problem_set(problem, "namespace %zu has kind %d, which is not joined", number, (int)kind);
    if (type != flag)
        return problem_set(problem, "descriptor %zu is no namespace of kind %d", number, (int)kind);
    return is_owned_by(fd, user_namespace, number, problem);
}

static bool are_fit(const rollcall_loginsocket_v1_LoginReply *reply, const struct descriptors *descriptors,
                    struct problem *problem)
{
    int own = open("/proc/self/ns/user", O_RDONLY | O_CLOEXEC);
    bool fit = own >= 0;

    if (own < 0)
        return problem_set(problem, "cannot open /proc/self/ns/user: %m");
    for (size_t i = 0; fit && i < descriptors->count; i++)
        fit = is_fit(reply->namespaces[i], descriptors->fds[i], own, i + 1, problem);
    close(own);
    return fit;
}

enum joining namespaces_join(const rollcall_loginsocket_v1_LoginReply *reply, const struct descriptors *descriptors,
                             struct problem *problem)
{
    if (reply->namespaces_count != descriptors->count) {
        problem_set(problem, "%u namespaces were named and %zu came", (unsigned)reply->namespaces_count,
                    descriptors->count);
        return JOINING_NOT_BEGUN;
    }
    if (descriptors->count == 0)
        return JOINING_DONE;
    if (!are_fit(reply, descriptors, problem))
        return JOINING_NOT_BEGUN;
    for (size_t i = 0; i < descriptors->count; i++) {
        if (setns(descriptors->fds[i], flag_of(reply->namespaces[i])) < 0) {
            problem_set(problem, "cannot join namespace %zu: %m", i + 1);
            return i == 0 ? JOINING_NOT_BEGUN : JOINING_HALF_DONE;
        }
    }
    return JOINING_DONE;
}
