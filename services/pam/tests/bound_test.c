/* How long a login waits for an agent that does not answer as it should: in each state that an agent can be in, under
 * each action_generic_failure, the hooks return within timeout_ms and do what the option says. The figures are printed.
 * bound_test PAM_ROLLCALL.SO LOGIN LOGIN_THAT_LOGS [ROUNDS] */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

#define TIMEOUT_MS 100
/* Beyond the timeout, a processor that is busy with other things; without a bound the hooks would never return. */
#define ALLOWANCE_US (60 * 1000 * 1000LL)
#define ROUNDS_MAX 1000
#define CROWD_MAX 64

static const char *module;
static char directory[] = "/tmp/rollcall-bound.XXXXXX";
static char login_socket_path[64];

static void must(int result, const char *what)
{
    if (result < 0) {
        perror(what);
        exit(1);
    }
}

static void send_bytes(int fd, const void *bytes, size_t length)
{
    if (send(fd, bytes, length, MSG_NOSIGNAL) < 0)
        return; /* the module has gone */
}

static void read_request(int fd)
{
    char request[4096];

    if (recv(fd, request, sizeof request, 0) < 0)
        return;
}

static void wait_for_end(int fd)
{
    char byte;

    while (recv(fd, &byte, 1, 0) > 0)
        continue;
}

static void say_nothing(int fd)
{
    wait_for_end(fd);
}

static void close_at_once(int fd)
{
    (void)fd;
}

/* REPLY_OUTCOME_ALLOWED, which nobody must believe any more. */
static const uint8_t ALLOWED[] = {0, 0, 0, 2, 0x08, 0x02};

static void answer_late(int fd)
{
    read_request(fd);
    poll(NULL, 0, 3 * TIMEOUT_MS);
    send_bytes(fd, ALLOWED, sizeof ALLOWED);
}

static void answer_slowly(int fd)
{
    read_request(fd);
    send_bytes(fd, (const uint8_t[]){0, 0, 0x7f, 0xff}, 4);
    for (int i = 0; i < 1000; i++) {
        poll(NULL, 0, 10);
        if (send(fd, "", 1, MSG_NOSIGNAL) < 0)
            return;
    }
}

static void answer_half(int fd)
{
    read_request(fd);
    send_bytes(fd, ALLOWED, sizeof ALLOWED - 1);
    wait_for_end(fd);
}

static void answer_half_and_close(int fd)
{
    read_request(fd);
    send_bytes(fd, ALLOWED, sizeof ALLOWED - 1);
}

static void answer_garbage(int fd)
{
    uint8_t garbage[64];

    memset(garbage, 0xff, sizeof garbage);
    memcpy(garbage, (const uint8_t[]){0, 0, 0, sizeof garbage - 4}, 4);
    read_request(fd);
    send_bytes(fd, garbage, sizeof garbage);
}

static void answer_too_much(int fd)
{
    static const uint8_t MUCH[65536] = {0, 0, 0x80, 1};

    read_request(fd);
    send_bytes(fd, MUCH, sizeof MUCH);
}

/* A descriptor beside each byte of the longest reply, as fast as it can. */
static void flood(int fd)
{
    union {
        char bytes[CMSG_SPACE(200 * sizeof(int))];
        struct cmsghdr aligned;
    } control = {.bytes = {0}};
    char nothing[1] = "";
    struct iovec part = {.iov_base = nothing, .iov_len = sizeof nothing};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};

    read_request(fd);
    control.aligned =
        (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(200 * sizeof(int))};
    for (size_t i = 0; i < 200; i++)
        memcpy(CMSG_DATA(&control.aligned) + i * sizeof(int), &(int){STDERR_FILENO}, sizeof(int));
    send_bytes(fd, (const uint8_t[]){0, 0, 0x7f, 0xff}, 4);
    for (int i = 0; i < 32766; i++) {
        if (sendmsg(fd, &message, MSG_NOSIGNAL) < 0)
            return;
    }
    wait_for_end(fd);
}

enum manner { MANNER_GONE, MANNER_DEAD, MANNER_STOPPED, MANNER_FULL, MANNER_SERVES };

struct state {
    const char *what;
    enum manner manner;
    void (*serve)(int fd);
};

static const struct state STATES[] = {
    {"no socket", MANNER_GONE, NULL},
    {"dead: a socket that nobody listens at", MANNER_DEAD, NULL},
    {"hung: stopped, and the backlog takes the connection", MANNER_STOPPED, say_nothing},
    {"full: a backlog of connections that nobody accepts", MANNER_FULL, NULL},
    {"silent: reads the request and says nothing", MANNER_SERVES, say_nothing},
    {"late: answers after the deadline", MANNER_SERVES, answer_late},
    {"slow: a byte every 10 ms", MANNER_SERVES, answer_slowly},
    {"half a frame, and then nothing", MANNER_SERVES, answer_half},
    {"half a frame, and closes", MANNER_SERVES, answer_half_and_close},
    {"closes at once", MANNER_SERVES, close_at_once},
    {"garbage", MANNER_SERVES, answer_garbage},
    {"too long a frame", MANNER_SERVES, answer_too_much},
    {"floods with descriptors", MANNER_SERVES, flood},
};

static pid_t agent = -1;
static int crowd[CROWD_MAX];
static int crowd_count;

static struct sockaddr_un login_socket_name(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};

    snprintf(name.sun_path, sizeof name.sun_path, "%s", login_socket_path);
    return name;
}

static void serve(int listener, const struct state *state)
{
    for (;;) {
        int fd = accept(listener, NULL, NULL);

        if (fd < 0)
            _exit(0);
        state->serve(fd);
        close(fd);
    }
}

/* Until there is no room. */
static void fill(void)
{
    struct sockaddr_un name = login_socket_name();

    for (crowd_count = 0; crowd_count < CROWD_MAX; crowd_count++) {
        crowd[crowd_count] = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (connect(crowd[crowd_count], (const struct sockaddr *)&name, sizeof name) < 0)
            break;
    }
    must(crowd_count < CROWD_MAX ? 0 : -1, "the backlog does not fill");
}

static void enter(const struct state *state)
{
    struct sockaddr_un name = login_socket_name();
    int listener;
    int status;

    unlink(login_socket_path);
    agent = -1;
    crowd_count = -1;
    if (state->manner == MANNER_GONE)
        return;
    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    must(bind(listener, (const struct sockaddr *)&name, sizeof name), login_socket_path);
    if (state->manner != MANNER_DEAD) {
        must(listen(listener, state->manner == MANNER_FULL ? 1 : 16), "listen");
        agent = fork();
        must(agent, "fork");
    }
    if (agent == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (state->manner == MANNER_STOPPED || state->manner == MANNER_FULL)
            raise(SIGSTOP);
        serve(listener, state);
    }
    close(listener);
    if (state->manner == MANNER_STOPPED || state->manner == MANNER_FULL)
        must(waitpid(agent, &status, WUNTRACED), "waitpid");
    if (state->manner == MANNER_FULL)
        fill();
}

static void leave(void)
{
    for (int i = 0; i <= crowd_count; i++)
        close(crowd[i]);
    if (agent > 0) {
        kill(agent, SIGKILL);
        waitpid(agent, NULL, 0);
    }
    unlink(login_socket_path);
}

/* An empty one: libpam would log that it is not there, by itself. */
static void write_other(void)
{
    char path[128];

    snprintf(path, sizeof path, "%s/other", directory);
    close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
}

static void write_service(const char *action)
{
    char path[128];
    FILE *out;

    snprintf(path, sizeof path, "%s/sshd", directory);
    out = fopen(path, "w");
    must(out == NULL ? -1 : 0, path);
    for (int i = 0; i < 2; i++) {
        const char *type = i == 0 ? "account" : "session";

        fprintf(out,
                "%s [success=done ignore=ignore default=die] %s socket=%s start_wait_ms=0 timeout_ms=%d "
                "action_generic_failure=%s\n",
                type, module, login_socket_path, TIMEOUT_MS, action);
        fprintf(out, "%s required pam_debug.so acct=acct_expired open_session=session_err\n", type);
    }
    fclose(out);
}

/* What the hook returned, and how long it took, of one login that goes to this hook alone. */
static int play(const char *login, const char *phase, long long *took)
{
    char output[4096];
    size_t filled = 0;
    ssize_t length;
    int ends[2];
    int code = -1;
    char *line;
    pid_t pid;

    must(pipe(ends), "pipe");
    pid = fork();
    must(pid, "fork");
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        alarm(60); /* a hook that never returns is a failure, not the end of the tests */
        execl(login, login, directory, "sshd", "alice", "-", "ssh", "-", phase, (char *)NULL);
        _exit(3);
    }
    close(ends[1]);
    while (filled < sizeof output - 1 && (length = read(ends[0], output + filled, sizeof output - 1 - filled)) > 0)
        filled += (size_t)length;
    output[filled] = '\0';
    close(ends[0]);
    waitpid(pid, NULL, 0);
    *took = INT64_MAX;
    for (line = output; line != NULL && sscanf(line, " %*[a-z] %d\ntook %lld us", &code, took) != 2;
         line = strchr(line, '\n'))
        line += *line == '\n';
    return code;
}

static int by_size(const void *one, const void *other)
{
    long long first = *(const long long *)one;
    long long second = *(const long long *)other;

    return first < second ? -1 : first > second;
}

static long long times[ROUNDS_MAX];
static size_t time_count;

static void measure(const char *login, const char *action, const char *phase, int expected, const char *what)
{
    long long took;
    int code = play(login, phase, &took);

    if (time_count < ROUNDS_MAX)
        times[time_count++] = took;
    if (code != expected || took > TIMEOUT_MS * 1000LL + ALLOWANCE_US)
        tap(false, "%s, %s, action_generic_failure=%s: %d after %lld us, not %d", what, phase, action, code, took,
            expected);
}

static void print_times(const char *what)
{
    qsort(times, time_count, sizeof *times, by_size);
    tap_say("bound %-55s %3zu hooks, median %lld.%lld ms, longest %lld.%lld ms", what, time_count,
            times[time_count / 2] / 1000, times[time_count / 2] / 100 % 10, times[time_count - 1] / 1000,
            times[time_count - 1] / 100 % 10);
}

static const struct {
    const char *action;
    int account; /* what libpam returns; 13 and 14 are pam_debug's, after the module stepped aside */
    int open;
} ACTIONS[] = {{"deny", 6, 6}, {"ignore", 13, 14}, {"allow", 0, 0}};

static void bounds(const char *login, int rounds)
{
    for (size_t i = 0; i < sizeof STATES / sizeof *STATES; i++) {
        time_count = 0;
        enter(&STATES[i]);
        for (size_t j = 0; j < sizeof ACTIONS / sizeof *ACTIONS; j++) {
            write_service(ACTIONS[j].action);
            for (int round = 0; round < rounds; round++) {
                measure(login, ACTIONS[j].action, "account", ACTIONS[j].account, STATES[i].what);
                measure(login, ACTIONS[j].action, "open", ACTIONS[j].open, STATES[i].what);
            }
        }
        leave();
        print_times(STATES[i].what);
        tap(times[time_count - 1] <= TIMEOUT_MS * 1000LL + ALLOWANCE_US, "an agent that is \"%s\" holds no login",
            STATES[i].what);
    }
}

/* A /dev of this process's own, whose log has a full queue that nobody reads. */
static bool log_hangs(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "/dev/log"};
    int log = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    int writer = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (unshare(geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS) < 0
        || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 || mount("none", "/dev", "tmpfs", 0, NULL) < 0)
        return false;
    must(bind(log, (const struct sockaddr *)&name, sizeof name), "/dev/log");
    must(connect(writer, (const struct sockaddr *)&name, sizeof name), "/dev/log");
    while (send(writer, "full", 4, 0) == 4)
        continue;
    return errno == EAGAIN;
}

static void hung_log(const char *login, int rounds)
{
    static const struct state SILENT = {"silent", MANNER_SERVES, say_nothing};

    if (!log_hangs()) {
        tap_say("a hung log needs root or user namespaces: %s", strerror(errno));
        return;
    }
    time_count = 0;
    enter(&SILENT);
    for (size_t j = 0; j < sizeof ACTIONS / sizeof *ACTIONS; j++) {
        write_service(ACTIONS[j].action);
        for (int round = 0; round < rounds; round++)
            measure(login, ACTIONS[j].action, "account", ACTIONS[j].account, "silent agent, hung log");
    }
    leave();
    print_times("silent, and the log daemon hangs");
    tap(times[time_count - 1] <= TIMEOUT_MS * 1000LL + ALLOWANCE_US, "a log daemon that hangs holds no login");
}

int main(int count, char **arguments)
{
    int rounds = count > 4 ? atoi(arguments[4]) : 1;
    char path[128];

    if (count < 4 || rounds < 1 || mkdtemp(directory) == NULL)
        return 2;
    module = arguments[1];
    snprintf(login_socket_path, sizeof login_socket_path, "%s/login.sock", directory);
    write_other();
    bounds(arguments[2], rounds);
    hung_log(arguments[3], rounds);
    snprintf(path, sizeof path, "%s/other", directory);
    unlink(path);
    snprintf(path, sizeof path, "%s/sshd", directory);
    unlink(path);
    rmdir(directory);
    return tap_done();
}
