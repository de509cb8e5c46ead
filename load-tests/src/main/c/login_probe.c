/* clang-format off */
/* Stands where sshd does, and times PAM's account phase.
 *
 *   login_probe serve PORT...      as root. For each TCP connection a process of its own, as sshd has; it keeps the
 *                                  connection open, reads a line "SERVICE USER", goes through pam_start and
 *                                  pam_acct_mgmt, answers a line "ACCOUNT_NS START_NS RESULT JOB", and ends with the
 *                                  connection
 *   login_probe call USER ROUNDS CONNECTIONS ORDER WAIT_MS SERVICE@ADDRESS:PORT...
 *                                  calls each target by turns, each round beginning with another one; with so many
 *                                  connections that are opened together. Between connection and question it waits, as
 *                                  a client is busy with keys by then. ORDER "at-once" asks on all of them and then
 *                                  hears them, "in-a-row" asks on one after the other, and rests then: what a row
 *                                  leaves behind is not beside the next target's. Prints "TARGET ACCOUNT_NS START_NS
 *                                  RESULT JOB"
 *   login_probe crowd COUNT        so many processes that do nothing, each with 11 descriptors, until this one ends
 *
 * The services' PAM files decide what is measured. RESULT is libpam's number, JOB the session's SLURM_JOB_ID or
 * "-". */
/* clang-format on */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <pwd.h>
#include <security/pam_appl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    PORTS_MAX = 8,
    TARGETS_MAX = 16,
    CONNECTIONS_MAX = 256,
    CROWD_MAX = 20000,
    CROWD_FILES = 8,
    LINE = 256,
    PATIENCE_S = 60,
    ROW_REST_MS = 100
};

__attribute__((format(printf, 1, 2), noreturn)) static void fail(const char *format, ...)
{
    va_list arguments;

    fprintf(stderr, "login_probe: ");
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

static long number(const char *text, long least, long most, const char *what)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (end == text || *end != '\0' || value < least || value > most)
        fail("%s: '%s' is not a number from %ld to %ld", what, text, least, most);
    return value;
}

static int64_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* False if the line did not come whole. */
static bool read_line(int fd, char line[LINE])
{
    size_t length = 0;

    while (length + 1 < LINE) {
        ssize_t got = read(fd, line + length, LINE - 1 - length);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        length += (size_t)got;
        if (line[length - 1] == '\n') {
            line[length - 1] = '\0';
            return true;
        }
    }
    line[length] = '\0';
    return false;
}

static bool write_whole(int fd, const char *text)
{
    size_t length = strlen(text);

    while (length > 0) {
        ssize_t put = send(fd, text, length, MSG_NOSIGNAL);

        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        text += put;
        length -= (size_t)put;
    }
    return true;
}

/* Whoever is refused is told so; nobody reads it here. */
static int hear(int count, const struct pam_message **messages, struct pam_response **responses, void *data)
{
    (void)messages;
    (void)data;
    *responses = calloc((size_t)count, sizeof **responses);
    return *responses != NULL ? PAM_SUCCESS : PAM_CONV_ERR;
}

/* One login, in a process of its own. */
static int answer(int fd)
{
    char line[LINE];
    char service[64];
    char user[64];
    char host[INET_ADDRSTRLEN] = "";
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    struct pam_conv conversation = {hear, NULL};
    pam_handle_t *pam = NULL;
    const char *job = NULL;
    int64_t begun;
    int64_t started;
    int64_t ended;
    int result;

    if (!read_line(fd, line) || sscanf(line, "%63s %63s", service, user) != 2)
        return 1;
    if (getpeername(fd, (struct sockaddr *)&peer, &length) == 0)
        inet_ntop(AF_INET, &peer.sin_addr, host, sizeof host);
    /* As sshd does before: whoever looks the user up first reads the name service's configuration. */
    if (getpwnam(user) == NULL)
        return 1;
    begun = now();
    result = pam_start(service, user, &conversation, &pam);
    if (result == PAM_SUCCESS)
        result = pam_set_item(pam, PAM_RHOST, host);
    started = now();
    if (result == PAM_SUCCESS)
        result = pam_acct_mgmt(pam, 0);
    ended = now();
    if (pam != NULL)
        job = pam_getenv(pam, "SLURM_JOB_ID");
    snprintf(line, sizeof line, "%lld %lld %d %.32s\n", (long long)(ended - started), (long long)(started - begun),
             result, job != NULL && job[0] != '\0' ? job : "-");
    write_whole(fd, line);
    /* A session goes on after its login: what its process does at its end is not beside the next one. */
    while (read(fd, line, sizeof line) > 0)
        continue;
    if (pam != NULL)
        pam_end(pam, result);
    return 0;
}

static struct sockaddr_in named(const char *address, long port)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};

    if (inet_pton(AF_INET, address, &name.sin_addr) != 1)
        fail("'%s' is not an IPv4 address", address);
    return name;
}

static int listener(long port)
{
    struct sockaddr_in name = named("0.0.0.0", port);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int one = 1;

    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) < 0
        || bind(fd, (const struct sockaddr *)&name, sizeof name) < 0 || listen(fd, CONNECTIONS_MAX) < 0)
        fail("cannot listen on port %ld: %s", port, strerror(errno));
    return fd;
}

static void take(const struct pollfd *listeners, int count, int ready)
{
    int fd = accept(listeners[ready].fd, NULL, NULL);
    pid_t child;

    if (fd < 0)
        return;
    child = fork();
    if (child == 0) {
        for (int i = 0; i < count; i++)
            close(listeners[i].fd);
        signal(SIGCHLD, SIG_DFL);
        alarm(PATIENCE_S);
        _exit(answer(fd));
    }
    if (child < 0)
        fprintf(stderr, "login_probe: cannot fork: %s\n", strerror(errno));
    close(fd);
}

static int serve(int count, char **ports)
{
    struct pollfd listeners[PORTS_MAX];

    if (count < 1 || count > PORTS_MAX)
        fail("serve: 1 to %d ports", PORTS_MAX);
    signal(SIGCHLD, SIG_IGN);
    for (int i = 0; i < count; i++)
        listeners[i] = (struct pollfd){.fd = listener(number(ports[i], 1, 65535, "port")), .events = POLLIN};
    puts("listening");
    fflush(stdout);
    for (;;) {
        if (poll(listeners, (nfds_t)count, -1) < 0 && errno != EINTR)
            fail("poll: %s", strerror(errno));
        for (int i = 0; i < count; i++) {
            if ((listeners[i].revents & POLLIN) != 0)
                take(listeners, count, i);
        }
    }
}

struct target {
    const char *text;
    char service[64];
    struct sockaddr_in name;
};

static struct target target_of(const char *text)
{
    struct target target = {.text = text};
    char address[INET_ADDRSTRLEN];
    char port[8];

    if (sscanf(text, "%63[^@]@%15[^:]:%7[0-9]", target.service, address, port) != 3)
        fail("'%s' is not SERVICE@ADDRESS:PORT", text);
    target.name = named(address, number(port, 1, 65535, "port"));
    return target;
}

static void ask(const struct target *target, int fd, const char *user)
{
    char line[LINE];

    snprintf(line, sizeof line, "%s %.63s\n", target->service, user);
    if (!write_whole(fd, line))
        fail("cannot ask %s: %s", target->text, strerror(errno));
}

static void hear_of(const struct target *target, int fd)
{
    char line[LINE];

    if (!read_line(fd, line))
        fail("%s does not answer", target->text);
    printf("%s %s\n", target->text, line);
}

static void call(const struct target *target, const char *user, long connections, bool in_a_row, long wait_ms)
{
    int fds[CONNECTIONS_MAX];

    for (long i = 0; i < connections; i++) {
        struct timeval patience = {.tv_sec = PATIENCE_S};

        fds[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fds[i] < 0 || setsockopt(fds[i], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) < 0
            || connect(fds[i], (const struct sockaddr *)&target->name, sizeof target->name) < 0)
            fail("cannot call %s: %s", target->text, strerror(errno));
    }
    poll(NULL, 0, (int)wait_ms);
    for (long i = 0; i < connections; i++) {
        ask(target, fds[i], user);
        if (in_a_row)
            hear_of(target, fds[i]);
    }
    for (long i = 0; i < connections; i++) {
        if (!in_a_row)
            hear_of(target, fds[i]);
        close(fds[i]);
    }
    if (in_a_row)
        poll(NULL, 0, ROW_REST_MS);
}

static bool in_a_row(const char *order)
{
    if (strcmp(order, "in-a-row") != 0 && strcmp(order, "at-once") != 0)
        fail("order: '%s' is neither at-once nor in-a-row", order);
    return strcmp(order, "in-a-row") == 0;
}

static int call_all(int count, char **words)
{
    struct target targets[TARGETS_MAX];
    int target_count = count - 5;
    long rounds;
    long connections;
    bool row;
    long wait_ms;

    if (target_count < 1 || target_count > TARGETS_MAX)
        fail("call: USER ROUNDS CONNECTIONS ORDER WAIT_MS and 1 to %d targets", TARGETS_MAX);
    rounds = number(words[1], 1, 1000000, "rounds");
    connections = number(words[2], 1, CONNECTIONS_MAX, "connections");
    row = in_a_row(words[3]);
    wait_ms = number(words[4], 0, 60000, "wait");
    for (int i = 0; i < target_count; i++)
        targets[i] = target_of(words[5 + i]);
    for (long round = 0; round < rounds; round++) {
        for (long i = 0; i < target_count; i++)
            call(&targets[(round + i) % target_count], words[0], connections, row, wait_ms);
    }
    return 0;
}

static void idle(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    for (int i = 0; i < CROWD_FILES; i++) {
        if (dup(STDIN_FILENO) < 0)
            _exit(1);
    }
    for (;;)
        pause();
}

static int crowd(const char *count)
{
    long most = number(count, 1, CROWD_MAX, "crowd");
    pid_t parent = getpid();

    for (long i = 0; i < most; i++) {
        pid_t child = fork();

        if (child < 0)
            fail("cannot fork process %ld: %s", i + 1, strerror(errno));
        if (child == 0)
            idle(parent);
    }
    puts("standing");
    fflush(stdout);
    for (;;)
        pause();
}

int main(int count, char **words)
{
    if (count >= 2 && strcmp(words[1], "serve") == 0)
        return serve(count - 2, words + 2);
    if (count >= 2 && strcmp(words[1], "call") == 0)
        return call_all(count - 2, words + 2);
    if (count == 3 && strcmp(words[1], "crowd") == 0)
        return crowd(words[2]);
    fail("serve PORT... | call USER ROUNDS CONNECTIONS ORDER WAIT_MS SERVICE@ADDRESS:PORT... | crowd COUNT");
}
