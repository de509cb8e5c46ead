/* clang-format off */
/* A PAM application in place of sshd: plays the phases named on the command line with one handle, and prints what
 * happened, a line each:
 *   auth|cred|account|open|close CODE   a hook's result, by libpam's number
 *   groups N...               this process's supplementary groups; nofile SOFT:HARD its limit; oom N its
 *                             oom_score_adj; mounts NAME its mount namespace
 *   error|info|log TEXT       what the user and the log are told
 *   asked TEXT                a question, its line breaks as '|'; answered by the next word of ANSWERS
 *   env NAME=VALUE            the PAM environment at the end
 *   sockets N, lookups N, leaked N
 * login DIRECTORY SERVICE USER RHOST TTY FLAGS PHASE...   ("-": the item is not set; FLAGS: silent, mute: there is no
 *                                                         conversation at all)
 * ANSWERS of the process's environment has what the user types, between commas; without it the conversation shows and
 * does not ask, as sshd's for a key does: what comes beside a question is kept. "!": the user has gone.
 * pam_vsyslog, socket and getpwnam_r are this program's own: the module resolves them here first, so the log is read
 * without a daemon, the unix sockets that the module opens are counted, and there are users without an entry on the
 * machine. */
/* clang-format on */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <security/pam_appl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int sockets;
static int lookups;

#ifndef LOGIN_LOGS
void pam_vsyslog(const pam_handle_t *pam, int priority, const char *format, va_list arguments);

void pam_vsyslog(const pam_handle_t *pam, int priority, const char *format, va_list arguments)
{
    (void)pam;
    (void)priority;
    printf("log ");
    vprintf(format, arguments);
    putchar('\n');
}
#endif

int socket(int domain, int type, int protocol)
{
    sockets += domain == AF_UNIX && (type & SOCK_STREAM) != 0;
    return (int)syscall(SYS_socket, domain, type, protocol);
}

int getpwnam_r(const char *name, struct passwd *entry, char *buffer, size_t size, struct passwd **found)
{
    static const struct {
        const char *name;
        uid_t uid;
    } USERS[] = {{"root", 0}, {"toor", 0}, {"alice", 1001}};

    (void)buffer;
    (void)size;
    lookups++;
    *found = NULL;
    if (strcmp(name, "unreachable") == 0)
        return EIO;
    for (size_t i = 0; i < sizeof USERS / sizeof *USERS; i++) {
        if (strcmp(name, USERS[i].name) == 0) {
            memset(entry, 0, sizeof *entry);
            entry->pw_uid = USERS[i].uid;
            *found = entry;
        }
    }
    return 0;
}

/* What the user types next; NULL: nothing can be asked, or nobody answers. */
static char *next_answer(void)
{
    static char *rest;
    static int begun;
    char *answer;

    if (!begun) {
        rest = getenv("ANSWERS");
        begun = 1;
    }
    answer = strsep(&rest, ",");
    return answer == NULL || strcmp(answer, "!") == 0 ? NULL : answer;
}

static int converse(int count, const struct pam_message **messages, struct pam_response **responses, void *data)
{
    (void)data;
    *responses = calloc((size_t)count, sizeof **responses);
    if (*responses == NULL)
        return PAM_BUF_ERR;
    for (int i = 0; i < count; i++) {
        if (messages[i]->msg_style == PAM_PROMPT_ECHO_ON) {
            char *answer = next_answer();

            if (answer == NULL) {
                free(*responses);
                *responses = NULL;
                return PAM_CONV_ERR;
            }
            printf("asked ");
            for (const char *byte = messages[i]->msg; *byte != '\0'; byte++)
                putchar(*byte == '\n' ? '|' : *byte);
            putchar('\n');
            (*responses)[i].resp = strdup(answer);
        } else {
            printf("%s %s\n", messages[i]->msg_style == PAM_ERROR_MSG ? "error" : "info", messages[i]->msg);
        }
    }
    return PAM_SUCCESS;
}

static void set_item(pam_handle_t *pam, int type, const char *value)
{
    if (strcmp(value, "-") != 0 && pam_set_item(pam, type, value) != PAM_SUCCESS)
        exit(3);
}

static void print_cgroups(void)
{
    char line[512];
    FILE *file = fopen("/proc/self/cgroup", "re");

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        printf("cgroup %s", line);
    if (file != NULL)
        fclose(file);
}

/* To the cgroup of the directory ELSEWHERE, as pam_systemd moves a session. */
static void move_elsewhere(void)
{
    char path[256];
    FILE *file;

    snprintf(path, sizeof path, "%s/cgroup.procs", getenv("ELSEWHERE"));
    file = fopen(path, "we");
    if (file == NULL || fputs("0", file) < 0 || fclose(file) != 0)
        exit(4);
}

/* False if it is a hook. */
static int show(const char *what)
{
    gid_t groups[256];
    struct rlimit limit;
    char name[64] = "";

    if (strcmp(what, "groups") == 0) {
        int count = getgroups(256, groups);

        printf("groups");
        for (int i = 0; i < count; i++)
            printf(" %u", (unsigned)groups[i]);
        putchar('\n');
    } else if (strcmp(what, "nofile") == 0) {
        getrlimit(RLIMIT_NOFILE, &limit);
        printf("nofile %llu:%llu\n", (unsigned long long)limit.rlim_cur, (unsigned long long)limit.rlim_max);
    } else if (strcmp(what, "oom") == 0) {
        FILE *file = fopen("/proc/self/oom_score_adj", "r");

        if (file != NULL && fgets(name, sizeof name, file) != NULL)
            printf("oom %s", name);
        if (file != NULL)
            fclose(file);
    } else if (strcmp(what, "mounts") == 0) {
        if (readlink("/proc/self/ns/mnt", name, sizeof name - 1) > 0)
            printf("mounts %s\n", name);
    } else if (strcmp(what, "cgroup") == 0) {
        print_cgroups();
    } else if (strcmp(what, "elsewhere") == 0) {
        move_elsewhere();
    } else if (strcmp(what, "replace") == 0) {
        if (rename(getenv("REPLACEMENT"), getenv("REPLACED")) < 0)
            exit(4);
    } else {
        return 0;
    }
    return 1;
}

static void play(pam_handle_t *pam, const char *phase, int flags)
{
    struct timespec before;
    struct timespec after;
    int code;

    if (show(phase))
        return;
    clock_gettime(CLOCK_MONOTONIC, &before);
    if (strcmp(phase, "auth") == 0)
        code = pam_authenticate(pam, flags);
    else if (strcmp(phase, "cred") == 0)
        code = pam_setcred(pam, flags | PAM_REINITIALIZE_CRED);
    else if (strcmp(phase, "uncred") == 0)
        code = pam_setcred(pam, flags | PAM_DELETE_CRED);
    else if (strcmp(phase, "account") == 0)
        code = pam_acct_mgmt(pam, flags);
    else if (strcmp(phase, "open") == 0)
        code = pam_open_session(pam, flags);
    else
        code = pam_close_session(pam, flags);
    clock_gettime(CLOCK_MONOTONIC, &after);
    printf("%s %d\ntook %lld us\n", phase, code,
           (long long)(after.tv_sec - before.tv_sec) * 1000000 + (after.tv_nsec - before.tv_nsec) / 1000);
}

static void print_environment(pam_handle_t *pam)
{
    char **environment = pam_getenvlist(pam);

    for (char **variable = environment; variable != NULL && *variable != NULL; variable++) {
        printf("env %s\n", *variable);
        free(*variable);
    }
    free(environment);
}

static int lowest_free_descriptor(void)
{
    int fd = dup(STDOUT_FILENO);

    close(fd);
    return fd;
}

int main(int count, char **arguments)
{
    struct pam_conv conversation = {count > 6 && strcmp(arguments[6], "mute") == 0 ? NULL : converse, NULL};
    pam_handle_t *pam;
    int flags;
    int descriptor;

    if (count < 8 || pam_start_confdir(arguments[2], arguments[3], &conversation, arguments[1], &pam) != PAM_SUCCESS)
        return 3;
    set_item(pam, PAM_RHOST, arguments[4]);
    set_item(pam, PAM_TTY, arguments[5]);
    flags = strcmp(arguments[6], "silent") == 0 ? PAM_SILENT : 0;
    descriptor = lowest_free_descriptor();
    for (int i = 7; i < count; i++)
        play(pam, arguments[i], flags);
    print_environment(pam);
    printf("sockets %d\nlookups %d\nleaked %d\n", sockets, lookups, lowest_free_descriptor() - descriptor);
    pam_end(pam, PAM_SUCCESS);
    return 0;
}
