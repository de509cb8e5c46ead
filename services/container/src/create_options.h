/* What rollcall-namespaces is told on its command line. */
#ifndef ROLLCALL_CREATE_OPTIONS_H
#define ROLLCALL_CREATE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "maps.h"
#include "problem.h"

#define CREATE_TIMEOUT_MS 10000
#define CREATE_TIMEOUT_MS_MAX 86400000
#define CREATE_TITLE_MAX 63

/* More hierarchies than a node with cgroup v1 has. */
#define CREATE_CGROUPS_MAX 16

struct create_options {
    const char *mount; /* the namespace to begin in: a path, or a descriptor's number */
    int flags;         /* of clone(2), one for each kind to make */
    const char *name;  /* the title of the resident process */
    bool has_owner;
    uid_t uid; /* with has_owner: whose user namespace it will be */
    gid_t gid;
    struct id_ranges also_uids; /* subordinate users of the owner, which may be mapped, too */
    struct id_ranges also_gids;
    int timeout_ms;
    const char *cgroup_roots[CREATE_CGROUPS_MAX]; /* to be in while the namespaces are made */
    size_t root_count;
    const char *cgroup_procs[CREATE_CGROUPS_MAX]; /* to be in afterwards; without roots before, too */
    size_t cgroup_count;
};

/* Words are all of argv. Nothing is copied. */
bool create_options_parse(struct create_options *options, int count, char **words, struct problem *problem);

#endif
