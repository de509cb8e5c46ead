/* The login socket under its deadline. Times are bounded loosely: what counts is that they are bounded. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "login_socket.h"
#include "fake_socket.h"
#include "tap.h"

#define DEADLINE_MS 250
#define LOOSE_MS 2000

static char directory[] = "/tmp/rollcall-sock.XXXXXX";
static char path[64];
static rollcall_loginsocket_v1_LoginReply reply;
static struct problem problem;
static struct descriptors descriptors;

static double now_ms(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int lowest_free_descriptor(void)
{
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

    close(fd);
    return fd;
}

static int start_wait_ms;

struct asked {
    enum login_socket_end end;
    bool answered;
    double ms;
    bool leaked;
    size_t came;
};

static struct asked ask_at(const char *where)
{
    rollcall_loginsocket_v1_LoginRequest request = {
        .version = 1, .phase = rollcall_loginsocket_v1_Phase_PHASE_ACCOUNT, .user = "alice"};
    int descriptor = lowest_free_descriptor();
    double start = now_ms();
    struct deadline deadline;
    struct asked asked;
    int login_socket;

    problem.text[0] = '\0';
    memset(&reply, 0, sizeof reply);
    login_socket = login_socket_connect(where, deadline_in(start_wait_ms), DEADLINE_MS, &deadline, &problem);
    asked.end = login_socket_ask(login_socket, where, deadline, &request, &reply, &descriptors, &problem);
    asked.answered = asked.end == LOGIN_SOCKET_ANSWERED;
    asked.ms = now_ms() - start;
    asked.came = descriptors.count;
    descriptors_close(&descriptors);
    asked.leaked = lowest_free_descriptor() != descriptor;
    return asked;
}

static struct asked ask_of(enum fake_manner manner)
{
    struct fake_answer answer = {.manner = manner,
                                 .descriptors = {0, 1, 2},
                                 .descriptor_count = 3,
                                 .reply = {.outcome = rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_DENIED,
                                           .message = "no",
                                           .reason = "no-jobs"}};
    struct fake_socket login_socket;
    struct asked asked;

    fake_socket_open(&login_socket, path, geteuid(), &answer, 1);
    asked = ask_at(path);
    fake_socket_close(&login_socket);
    return asked;
}

static void is_answered(enum fake_manner manner, const char *what)
{
    struct asked asked = ask_of(manner);

    if (!tap(asked.answered && reply.outcome == rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_DENIED
                 && strcmp(reply.message, "no") == 0 && !asked.leaked,
             "%s", what))
        tap_say("%s", problem.text);
}

static void is_not_answered(enum fake_manner manner, const char *reason, const char *what)
{
    struct asked asked = ask_of(manner);

    if (!tap(!asked.answered && strstr(problem.text, reason) != NULL && !asked.leaked && asked.ms < LOOSE_MS, "%s: %s",
             what, problem.text))
        tap_say("answered %d leaked %d after %.0f ms", asked.answered, asked.leaked, asked.ms);
}

static void peers_of_all_manners(void)
{
    is_answered(FAKE_REPLY, "a reply is read");
    is_answered(FAKE_DESCRIPTORS, "a reply with descriptors is read");
    tap(ask_of(FAKE_DESCRIPTORS).came == 3 && ask_of(FAKE_REPLY).came == 0,
        "descriptors beside the reply are handed over");
    is_not_answered(FAKE_TORN, "cannot be read", "descriptors beside garbage are closed");
    is_not_answered(FAKE_BYTE_BY_BYTE, "deadline", "a byte every 20 ms does not stretch the deadline");
    is_not_answered(FAKE_SILENT, "deadline", "a peer that says nothing");
    is_not_answered(FAKE_HANG_UP, "closed after 0 of 4", "a peer that hangs up");
    is_not_answered(FAKE_TRUNCATED, "closed after", "a truncated reply");
    is_not_answered(FAKE_OVERSIZED, "a reply that is too long", "an oversized reply");
    is_not_answered(FAKE_TWICE, "more than one reply", "two replies");
    is_not_answered(FAKE_GARBAGE, "cannot be read", "garbage");
}

static void silence_takes_the_whole_deadline(void)
{
    struct asked asked = ask_of(FAKE_SILENT);

    tap(asked.ms >= DEADLINE_MS - 1 && asked.ms < LOOSE_MS, "silence is waited for %d ms, not less, and not much more",
        DEADLINE_MS);
    tap_say("%.1f ms", asked.ms);
}

static void sockets_that_nobody_serves(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    char long_path[200];
    struct asked asked = ask_at(path);
    int listener;
    int filler[64];
    int fillers = 0;

    tap(!asked.answered && strstr(problem.text, "No such file") != NULL && asked.ms < LOOSE_MS && !asked.leaked,
        "a missing socket is told at once: %s", problem.text);
    memset(long_path, 'x', sizeof long_path);
    long_path[0] = '/';
    long_path[sizeof long_path - 1] = '\0';
    asked = ask_at(long_path);
    tap(!asked.answered && strstr(problem.text, "too long") != NULL && !asked.leaked, "too long a path is told");

    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    strcpy(name.sun_path, path);
    if (listener < 0 || bind(listener, (struct sockaddr *)&name, sizeof name) < 0) {
        perror("listener");
        exit(1);
    }
    asked = ask_at(path);
    tap(!asked.answered && strstr(problem.text, "refused") != NULL && !asked.leaked, "a socket without a listener: %s",
        problem.text);
    listen(listener, 0);
    while (fillers < 64) {
        filler[fillers] = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (connect(filler[fillers++], (struct sockaddr *)&name, sizeof name) < 0)
            break;
    }
    asked = ask_at(path);
    tap(fillers < 64 && !asked.answered && strstr(problem.text, "deadline") != NULL && asked.ms < LOOSE_MS
            && !asked.leaked,
        "a full backlog ends with the deadline: %s", problem.text);
    while (fillers > 0)
        close(filler[--fillers]);
    close(listener);
    unlink(path);
}

static void an_agent_that_starts_is_waited_for(void)
{
    struct fake_answer answer = {.reply = {.outcome = rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ALLOWED}};
    struct fake_socket login_socket;
    struct asked asked;
    pid_t starter;
    int status;

    start_wait_ms = 2 * DEADLINE_MS;
    asked = ask_at(path);
    tap(asked.end == LOGIN_SOCKET_FAILED && strstr(problem.text, "No such file") != NULL
            && asked.ms >= start_wait_ms - 1 && asked.ms < start_wait_ms + LOOSE_MS && !asked.leaked,
        "an agent that does not start is waited for %d ms", start_wait_ms);
    start_wait_ms = 20 * DEADLINE_MS;
    starter = fork();
    if (starter == 0) {
        poll(NULL, 0, 2 * DEADLINE_MS); /* longer than an agent has that listens */
        fake_socket_open(&login_socket, path, geteuid(), &answer, 1);
        pause();
        _exit(0);
    }
    asked = ask_at(path);
    tap(asked.answered && asked.ms >= 2 * DEADLINE_MS - 1, "an agent that starts meanwhile answers");
    kill(starter, SIGKILL); /* and with it its agent */
    waitpid(starter, &status, 0);
    unlink(path);
    start_wait_ms = 0;
    tap(ask_of(FAKE_HANG_UP).end == LOGIN_SOCKET_GONE && ask_of(FAKE_SILENT).end == LOGIN_SOCKET_FAILED,
        "an agent that ends without a word is told from one that is silent");
}

static volatile sig_atomic_t alarms;

static void count_alarm(int signal)
{
    (void)signal;
    alarms++;
}

static void signals_are_left_alone(void)
{
    struct sigaction action = {.sa_handler = count_alarm}; /* no SA_RESTART: calls return EINTR */
    struct sigaction pipe_before;
    struct sigaction pipe_after;
    struct itimerval often = {{0, 5000}, {0, 5000}};
    struct itimerval never = {{0, 0}, {0, 0}};
    struct asked asked;

    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGPIPE, NULL, &pipe_before);
    setitimer(ITIMER_REAL, &often, NULL);
    asked = ask_of(FAKE_SILENT);
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGPIPE, NULL, &pipe_after);
    tap(!asked.answered && alarms > 5 && asked.ms >= DEADLINE_MS - 1 && asked.ms < LOOSE_MS,
        "signals neither stretch nor cut the deadline");
    tap_say("%d signals, %.1f ms", (int)alarms, asked.ms);
    tap(pipe_before.sa_handler == pipe_after.sa_handler, "what SIGPIPE does is left as it was");
}

/* Only root can play a peer of another uid. */
static void strangers_are_not_heard(void)
{
    struct fake_answer answer = {.reply = {.outcome = rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ALLOWED}};
    struct fake_socket login_socket;
    struct asked asked;

    if (geteuid() != 0) {
        tap_say("not root: no peer of another uid was tried");
        return;
    }
    fake_socket_open(&login_socket, path, 65534, &answer, 1);
    asked = ask_at(path);
    fake_socket_close(&login_socket);
    tap(!asked.answered && strstr(problem.text, "65534") != NULL, "a peer that is not root is not heard: %s",
        problem.text);
}

static void patience_is_told(void)
{
    struct fake_answer answer = {.reply = {.outcome = rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ALLOWED}};
    rollcall_loginsocket_v1_LoginRequest request = {0};
    struct fake_socket login_socket;

    fake_socket_open(&login_socket, path, geteuid(), &answer, 1);
    ask_at(path);
    tap(fake_socket_request(&login_socket, &request) && request.patience_ms > 0 && request.patience_ms <= DEADLINE_MS
            && strcmp(request.user, "alice") == 0,
        "the request says how long its sender waits: %u ms", (unsigned)request.patience_ms);
    fake_socket_close(&login_socket);
}

int main(void)
{
    if (mkdtemp(directory) == NULL || chmod(directory, 0711) < 0) {
        perror(directory);
        return 1;
    }
    snprintf(path, sizeof path, "%s/login.sock", directory);
    peers_of_all_manners();
    silence_takes_the_whole_deadline();
    sockets_that_nobody_serves();
    an_agent_that_starts_is_waited_for();
    signals_are_left_alone();
    strangers_are_not_heard();
    patience_is_told();
    rmdir(directory);
    return tap_done();
}
