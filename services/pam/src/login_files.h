/* The files that the agent writes for logins (proto rollcall/login/v1), read as if an enemy had written them. */
#ifndef ROLLCALL_LOGIN_FILES_H
#define ROLLCALL_LOGIN_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "problem.h"
#include "rollcall/login/v1/login.pb.h"

#define LOGIN_DIRECTORY "/run/rollcall/login"
#define LOGIN_VERSION 1
#define LOGIN_FILE_MAX (64 * 1024)
/* /proc/sys/kernel/random/boot_id without its newline, and a closing zero. */
#define LOGIN_BOOT_ID_SIZE 37

/* A login directory that is open. Large, and not cleared: all its files are read into the same bytes, since each page
 * of stack that a login touches costs it a fault. */
struct login_files {
    int directory;
    char boot_id[LOGIN_BOOT_ID_SIZE]; /* of this boot */
    uint8_t bytes[LOGIN_FILE_MAX];
};

/* Whether a file was read. Whatever is not LOGIN_READ means: ask the agent. */
enum login_reading {
    LOGIN_READ = 0,
    LOGIN_MISSING,
    LOGIN_NOT_REGULAR, /* a symbolic link, a FIFO, a directory */
    LOGIN_NOT_ROOTS,   /* its owner is neither root nor this process's user */
    LOGIN_WRITABLE,    /* by its group or others */
    LOGIN_TOO_LARGE,
    LOGIN_UNREADABLE, /* the kernel says no */
    LOGIN_MALFORMED,
    LOGIN_OTHER_VERSION,
    LOGIN_OTHER_BOOT,
    LOGIN_OTHER_SUBJECT, /* it is about another user or job than its name says */
};

/* What the files say about one user. Large, and not cleared: what has_user leaves out is not to be looked at. */
struct login_facts {
    bool agent_alive; /* it was as the files were read */
    bool has_user;    /* false: there is no file for the user */
    rollcall_login_v1_Node node;
    rollcall_login_v1_User user;
};

/* Opens the directory. LOGIN_READ: login_close closes it. Else problem says why. */
enum login_reading login_open(struct login_files *files, const char *path, struct problem *problem);

void login_close(const struct login_files *files);

/* Reads node and users/UID, and tests whether the agent lives, without waiting. LOGIN_READ: facts are set; a user
 * without a file is one of them. Else problem names the file and says why. */
enum login_reading login_read(struct login_files *files, uint32_t uid, struct login_facts *facts,
                              struct problem *problem);

/* Whether it is certain that no agent lives now. */
bool login_agent_is_away(const struct login_files *files);

/* Reads node only, for a login of any user: it has the text at the end of a refusal. */
enum login_reading login_read_node(struct login_files *files, rollcall_login_v1_Node *node, struct problem *problem);

/* Reads jobs/ID of this user's job. */
enum login_reading login_read_job(struct login_files *files, uint32_t uid, uint64_t job_id, rollcall_login_v1_Job *job,
                                  struct problem *problem);

/* What the bytes of a file say; the boot id is this boot's. problem is set if it is not LOGIN_READ. */
enum login_reading login_decode_node(const uint8_t *bytes, size_t length, const char *boot_id,
                                     rollcall_login_v1_Node *node, struct problem *problem);
enum login_reading login_decode_user(const uint8_t *bytes, size_t length, const char *boot_id, uint32_t uid,
                                     rollcall_login_v1_User *user, struct problem *problem);
enum login_reading login_decode_job(const uint8_t *bytes, size_t length, const char *boot_id, uint32_t uid,
                                    uint64_t job_id, rollcall_login_v1_Job *job, struct problem *problem);

/* Whether an open file is of this kind (S_IFREG, S_IFDIR), and only root writes it: LOGIN_READ. In tests this process's
 * user stands for root, as at the agent's socket. */
enum login_reading login_trusted(int fd, mode_t kind, const char *name, struct stat *file, struct problem *problem);

#endif
