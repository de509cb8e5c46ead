/* Who comes, by which service, under which options: known before the agent is asked, and without waiting for anything
 * if it is root or another service. */
#ifndef ROLLCALL_VISIT_H
#define ROLLCALL_VISIT_H

#include <security/pam_modules.h>
#include <stdint.h>
#include <sys/types.h>

#include "options.h"
#include "rollcall/loginsocket/v1/login_socket.pb.h"
#include "tell.h"

/* Of the path of the login files' directory. */
#define LOGIN_DIRECTORY_MAX (sizeof((struct options *)0)->socket_path + sizeof "/login")

struct visit {
    struct teller teller;
    struct options options;
    const char *service;
    const char *user;
    uid_t uid;
    gid_t gid;
    uint64_t began_ns; /* CLOCK_BOOTTIME */
};

enum standing {
    STANDING_SUBJECT, /* to be asked about */
    STANDING_EXEMPT,  /* step aside */
    STANDING_BROKEN,  /* the PAM line or the user cannot be read: refuse */
};

/* The service is looked at first, then root, then whether the options are sound; so a mistake in the PAM line never
 * shuts root or another service out. code is set to what the hook returns if it is STANDING_BROKEN; that was logged. */
enum standing visit_begin(struct visit *visit, pam_handle_t *pam, int flags, int count, const char **words, int *code);

/* The login files are beside the agent's socket. */
void visit_name_directory(const struct visit *visit, char *directory, size_t size);

/* All of the request but patience_ms. */
void visit_describe(const struct visit *visit, rollcall_loginsocket_v1_Phase phase,
                    rollcall_loginsocket_v1_LoginRequest *request);

#endif
