#include "visit.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>

#include "boottime.h"
#include "connection.h"

#define PROTOCOL_VERSION 1

/* An entry of passwd(5) is a line of a few hundred bytes; a longer one is refused rather than memory allocated for it.
 */
#define PASSWD_ENTRY_MAX (16 * 1024)

static const char *item(pam_handle_t *pam, int type)
{
    const void *value = NULL;

    return pam_get_item(pam, type, &value) == PAM_SUCCESS && value != NULL ? value : "";
}

static bool is_served(const struct options *options, const char *service)
{
    return strcmp(options->service, "*") == 0 || strcasecmp(options->service, service) == 0;
}

/* PAM_SUCCESS, or what the hook returns. */
static int look_up_uid(struct visit *visit)
{
    char buffer[PASSWD_ENTRY_MAX];
    struct passwd entry;
    struct passwd *found = NULL;
    int error = getpwnam_r(visit->user, &entry, buffer, sizeof buffer, &found);

    if (found != NULL) {
        visit->uid = entry.pw_uid;
        visit->gid = entry.pw_gid;
        return PAM_SUCCESS;
    }
    if (error == 0) {
        tell_log(&visit->teller, LOG_LEVEL_ERROR, "no such user: \"%s\"", visit->user);
        return PAM_USER_UNKNOWN;
    }
    errno = error;
    tell_log(&visit->teller, LOG_LEVEL_ERROR, "cannot look up user \"%s\": %m", visit->user);
    return PAM_SYSTEM_ERR;
}

enum standing visit_begin(struct visit *visit, pam_handle_t *pam, int flags, int count, const char **words, int *code)
{
    struct problem problem = {""};
    bool sound = options_parse(&visit->options, count, words, &problem);

    visit->began_ns = boottime_now();
    visit->teller =
        (struct teller){.pam = pam, .log_level = visit->options.log_level, .silent = (flags & PAM_SILENT) != 0};
    visit->service = item(pam, PAM_SERVICE);
    visit->user = item(pam, PAM_USER);
    if (!is_served(&visit->options, visit->service))
        return STANDING_EXEMPT;
    /* By name, since the look-up below may wait for a directory server that is down. */
    if (visit->options.ignore_root && strcmp(visit->user, "root") == 0)
        return STANDING_EXEMPT;
    *code = look_up_uid(visit);
    if (*code == PAM_SUCCESS && visit->uid == 0 && visit->options.ignore_root)
        return STANDING_EXEMPT;
    if (!sound) {
        /* Whatever log_level says: it might be the word that is misspelt. */
        visit->teller.log_level = LOG_LEVEL_DEBUG5;
        tell_log(&visit->teller, LOG_LEVEL_ERROR, "%s", problem.text);
        *code = PAM_SERVICE_ERR;
    }
    return *code == PAM_SUCCESS ? STANDING_SUBJECT : STANDING_BROKEN;
}

void visit_name_directory(const struct visit *visit, char *directory, size_t size)
{
    const char *path = visit->options.socket_path;
    const char *slash = strrchr(path, '/'); /* options.c takes none without one */

    snprintf(directory, size, "%.*s/login", (int)(slash - path), path);
}

/* For the record: cut to the field, and plain ASCII, since proto3 refuses a message with bytes that are not UTF-8. */
static void copy_text(char *to, size_t size, const char *from)
{
    size_t i;

    for (i = 0; i + 1 < size && from[i] != '\0'; i++)
        to[i] = from[i] >= ' ' && from[i] <= '~' ? from[i] : '?';
    to[i] = '\0';
}

static rollcall_loginsocket_v1_Choice choice_of(enum action action)
{
    switch (action) {
    case ACTION_DENY:
        return rollcall_loginsocket_v1_Choice_CHOICE_DENY;
    case ACTION_ALLOW:
        return rollcall_loginsocket_v1_Choice_CHOICE_ALLOW;
    case ACTION_IGNORE:
        return rollcall_loginsocket_v1_Choice_CHOICE_IGNORE;
    case ACTION_NEWEST:
        return rollcall_loginsocket_v1_Choice_CHOICE_NEWEST;
    }
    return rollcall_loginsocket_v1_Choice_CHOICE_DENY;
}

static void describe_connection(const struct visit *visit, rollcall_loginsocket_v1_LoginRequest *request)
{
    struct connection connection;
    struct problem problem = {""};

    if (!connection_find(item(visit->teller.pam, PAM_RHOST), visit->options.ports, visit->options.port_count,
                         &connection, &problem)) {
        copy_text(request->connection_problem, sizeof request->connection_problem, problem.text);
        tell_log(&visit->teller, LOG_LEVEL_DEBUG, "connection unknown: %s", problem.text);
        return;
    }
    request->local_address.size = connection.local.length;
    memcpy(request->local_address.bytes, connection.local.bytes, connection.local.length);
    request->local_port = connection.local_port;
    request->remote_address.size = connection.remote.length;
    memcpy(request->remote_address.bytes, connection.remote.bytes, connection.remote.length);
    request->remote_port = connection.remote_port;
}

void visit_describe(const struct visit *visit, rollcall_loginsocket_v1_Phase phase,
                    rollcall_loginsocket_v1_LoginRequest *request)
{
    const struct options *options = &visit->options;

    memset(request, 0, sizeof *request);
    request->version = PROTOCOL_VERSION;
    request->phase = phase;
    copy_text(request->service, sizeof request->service, visit->service);
    copy_text(request->user, sizeof request->user, visit->user);
    request->uid = visit->uid;
    describe_connection(visit, request);
    request->has_options = true;
    request->options = (rollcall_loginsocket_v1_Options){
        .action_no_jobs = choice_of(options->action_no_jobs),
        .action_unknown = choice_of(options->action_unknown),
        .action_adopt_failure = choice_of(options->action_adopt_failure),
        .single_job_ask_caller = !options->single_job_skip_rpc,
        .disable_x11 = options->disable_x11,
        .stay_outside_container = !options->join_container,
        .choose = options->choose,
    };
    copy_text(request->remote_host, sizeof request->remote_host, item(visit->teller.pam, PAM_RHOST));
    copy_text(request->tty, sizeof request->tty, item(visit->teller.pam, PAM_TTY));
    copy_text(request->node_name, sizeof request->node_name, options->node_name);
}
