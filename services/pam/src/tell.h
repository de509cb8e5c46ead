/* What the module says: to the log by pam_syslog(3), to the user by the PAM conversation. */
#ifndef ROLLCALL_TELL_H
#define ROLLCALL_TELL_H

#include <security/pam_modules.h>
#include <stdbool.h>

#include "options.h"

struct teller {
    pam_handle_t *pam;
    enum log_level log_level;
    bool silent; /* PAM_SILENT: not a word to the user */
};

/* Written if the level is within log_level, and lost if the log daemon hangs: no login waits for it. */
void tell_log(const struct teller *teller, enum log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Why the user is not let in, as PAM_ERROR_MSG. Control characters are shown as '?'. */
void tell_refusal(const struct teller *teller, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Good to know, as PAM_TEXT_INFO, and only to a terminal: it would spoil what scp and rsync read. */
void tell_note(const struct teller *teller, const char *text);

/* As tell_note, and only from open_session: there sshd keeps the text, and shows it when it starts a shell. It never
 * shows it to a command, scp or sftp. */
void tell_session_note(const struct teller *teller, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
