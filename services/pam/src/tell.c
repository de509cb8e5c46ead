#include "tell.h"

#include <poll.h>
#include <security/pam_ext.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <syslog.h>
#include <unistd.h>

/* Of a log daemon that is behind. */
#define LOG_PATIENCE_MS 20

/* Of a refusal's line: the node's name, the reason and the help text have 256 bytes each at most. */
#define REFUSAL_MAX 1024

static int priority_of(enum log_level level)
{
    if (level <= LOG_LEVEL_FATAL)
        return LOG_CRIT;
    if (level <= LOG_LEVEL_ERROR)
        return LOG_ERR;
    return level <= LOG_LEVEL_VERBOSE ? LOG_INFO : LOG_DEBUG;
}

/* False while /dev/log has a full queue and nobody empties it: syslog(3) sends without MSG_DONTWAIT and would wait for
 * ever. A log that is not there at all, or is no datagram socket, is left to syslog(3). poll(2) on a connected datagram
 * socket looks at the peer's queue (unix_dgram_poll, Linux 2.6.27 and later). */
static bool log_is_read(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "/dev/log"};
    struct pollfd waiting = {.fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), .events = POLLOUT};
    bool read = true;

    if (waiting.fd < 0)
        return true;
    if (connect(waiting.fd, (const struct sockaddr *)&name, sizeof name) == 0)
        read = poll(&waiting, 1, LOG_PATIENCE_MS) > 0;
    close(waiting.fd);
    return read;
}

void tell_log(const struct teller *teller, enum log_level level, const char *format, ...)
{
    va_list arguments;

    if (level > teller->log_level || !log_is_read())
        return;
    va_start(arguments, format);
    pam_vsyslog(teller->pam, priority_of(level), format, arguments);
    va_end(arguments);
}

/* The text comes from the agent, but a terminal obeys what it is sent. */
static void copy_printable(char *to, size_t size, const char *from)
{
    size_t i;

    for (i = 0; i + 1 < size && from[i] != '\0'; i++)
        to[i] = (unsigned char)from[i] < ' ' || from[i] == 0x7f ? '?' : from[i];
    to[i] = '\0';
}

void tell_refusal(const struct teller *teller, const char *format, ...)
{
    char text[REFUSAL_MAX];
    char printable[REFUSAL_MAX];
    va_list arguments;

    if (teller->silent)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    copy_printable(printable, sizeof printable, text);
    pam_error(teller->pam, "%s", printable);
}

static const char *tty_of(pam_handle_t *pam)
{
    const void *tty = NULL;

    return pam_get_item(pam, PAM_TTY, &tty) == PAM_SUCCESS && tty != NULL ? tty : "";
}

/* PAM_TTY of every sshd, whether a terminal is asked for later or not (auth-pam.c of OpenSSH, 9.2 to 10.0). */
static bool is_of_sshd(const char *tty)
{
    return strcmp(tty, "ssh") == 0;
}

static void show(const struct teller *teller, const char *text)
{
    char printable[256];

    copy_printable(printable, sizeof printable, text);
    pam_info(teller->pam, "%s", printable);
}

void tell_note(const struct teller *teller, const char *text)
{
    const char *tty = tty_of(teller->pam);

    if (text[0] != '\0' && !teller->silent && tty[0] != '\0' && !is_of_sshd(tty))
        show(teller, text);
}

/* sshd runs pam_open_session(3) with a conversation that keeps texts (sshpam_store_conv of auth-pam.c). The process of
 * a shell shows them (do_login and do_child of session.c), unless there is a command or a ~/.hushlogin. No hook runs
 * when it is known whether there is a terminal: setcred, too, runs before a session is asked for. */
void tell_session_note(const struct teller *teller, const char *format, ...)
{
    char text[256];
    va_list arguments;

    if (teller->silent || tty_of(teller->pam)[0] == '\0')
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    show(teller, text);
}
