/* The real pam_rollcall.so in a PAM application of ours (login.c). The stack is the module and then pam_debug.so, which
 * answers PAM_ACCT_EXPIRED (13) to account and PAM_SESSION_ERR (14) to session: so "13" and "14" say that the module
 * stepped aside, since libpam itself never shows PAM_IGNORE. */
#ifndef ROLLCALL_APPLICATION_H
#define ROLLCALL_APPLICATION_H

#include <stdbool.h>

#define ASIDE_ACCOUNT "account 13\n"
#define ASIDE_SESSION "open 14\n"
#define LET_IN "account 0\n"
#define REFUSED "account 6\n" /* PAM_PERM_DENIED */

/* The agent's socket, in a directory of this test's. */
extern char login_socket_path[64];
extern char directory[];

/* What the last visit printed. */
extern char output[16 * 1024];

struct visit {
    const char *service; /* "sshd" if NULL */
    const char *user;    /* "alice" if NULL */
    const char *options;
    const char *rhost;
    const char *tty;
    const char *flags;
    const char *answers; /* what the user types, between commas; NULL: nothing can be asked */
    const char *phases[8];
};

/* arguments: the program's, PAM_ROLLCALL.SO LOGIN. False: they are none. */
bool application_begin(int count, char **arguments);

/* Removes the directory, and what this wrote into it. */
void application_end(void);

/* Runs the application to its end; what it prints is in output. */
void visit(const struct visit *visit);

bool said(const char *text);

/* A check; the output is shown if it does not hold. */
void holds(bool good, const char *what);

/* Exits if result is negative. */
void must(int result, const char *what);

#endif
