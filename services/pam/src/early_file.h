/* Files that an earlier part of this login made for the user: the Kerberos ticket that sshd, pam_krb5 or pam_sss names
 * in KRB5CCNAME, and the directory that pam_tmpdir names in TMPDIR. In a job that has a directory to itself, as a /tmp,
 * the session would not find them there, and sshd, which ends inside, would not remove them. */
#ifndef ROLLCALL_EARLY_FILE_H
#define ROLLCALL_EARLY_FILE_H

#include <security/pam_modules.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "problem.h"

/* Of one file. A ticket of Active Directory has up to 64 KiB, a cache has those of some services. */
#define EARLY_FILE_MAX (1024 * 1024)

struct early_file {
    pam_handle_t *pam;
    uid_t uid; /* the user, by whose ids all of it is done */
    gid_t gid;
    char directory[512]; /* absolute */
    char name[256];      /* in it */
    bool is_ticket;
    int outside;           /* the directory as it is outside of the job; -1: there is nothing to move */
    int64_t process_start; /* by CLOCK_REALTIME, in nanoseconds */
};

/* Opens the directory, before the job's namespaces are joined. pam, uid and gid are set. The value is one of KRB5CCNAME
 * (FILE:, DIR: or a path; other kinds are no files) or of TMPDIR, or NULL. Is followed by early_file_move. */
void early_file_open(struct early_file *file, const char *value, bool is_ticket);

/* Called in the job's namespaces. If the directory is another one there, the ticket is copied to the same path and
 * removed outside. One that is older than this process belongs to another login, and remains outside too. A temporary
 * directory is only made. False, and problem says what was not moved: only regular files of the user with one name and
 * EARLY_FILE_MAX bytes are, and no link is followed. */
bool early_file_move(struct early_file *file, struct problem *problem);

#endif
