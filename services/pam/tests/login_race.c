/* Logins by the agent's files, without PAM around them, for dev.rollcall.agent.login's tests of the race with a job's
 * end and suspension.
 *
 * login_race RUN UID: for each line of standard input, a number of microseconds and that of a job, a process waits so
 * long and logs in. With a job that is not 0 an agent has decided on it by then.
 * Answers "PID started", and then "PID WORD": joined, refused, asked (the agent would be), or killed, if the process
 * ended before it could say. A process that joined runs on and sleeps for 0.2 ms again and again.
 * login_race RUN UID hold: holds the user's lock as a login does, from "held" until standard input ends. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "boottime.h"
#include "file_login.h"
#include "user_lock.h"

#define WORD_MAX 128
#define BETWEEN_SLEEPS_NS 200000
#define NS_IN_A_MICROSECOND 1000
/* What is left to a module of its time with the agent. */
#define AGENT_MS 250

static struct visit visit = {.service = "sshd", .user = "racer"};
static char login_directory[96];

static void fail(const char *what)
{
    fprintf(stderr, "login_race: %s\n", what);
    exit(1);
}

static void set_up(const char *run, const char *uid)
{
    char word[sizeof visit.options.socket_path + 8];
    const char *words[] = {word, "log_level=quiet"};
    struct problem problem = {""};

    snprintf(word, sizeof word, "socket=%s/login.sock", run);
    snprintf(login_directory, sizeof login_directory, "%s/login", run);
    if (!options_parse(&visit.options, 2, words, &problem))
        fail(problem.text);
    visit.teller = (struct teller){.log_level = visit.options.log_level, .silent = true};
    visit.uid = (uid_t)strtoul(uid, NULL, 10);
}

static bool is_answered(const rollcall_loginsocket_v1_LoginRequest *request, uint64_t decided,
                        rollcall_loginsocket_v1_LoginReply *reply, struct problem *problem)
{
    struct descriptors descriptors = {.count = 0};
    struct file_session session;

    if (decided == 0)
        return file_login(&visit, request, false, &session, reply, &descriptors, problem) == FILE_DECIDED;
    reply->outcome = rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_JOIN;
    reply->job_id = decided;
    strcpy(reply->reason, "only-job");
    strcpy(reply->adoption_id, "7-1");
    return file_login_join(&visit, request, deadline_in(AGENT_MS), &session, reply, &descriptors, problem);
}

static void log_in(uint64_t decided, char word[WORD_MAX], bool *joined)
{
    static rollcall_loginsocket_v1_LoginReply reply;
    rollcall_loginsocket_v1_LoginRequest request = {.version = 1, .phase = rollcall_loginsocket_v1_Phase_PHASE_ACCOUNT};
    struct problem problem = {""};

    visit.began_ns = boottime_now();
    request.uid = visit.uid;
    strcpy(request.service, visit.service);
    strcpy(request.user, visit.user);
    *joined = false;
    if (!is_answered(&request, decided, &reply, &problem)) {
        snprintf(word, WORD_MAX, "asked %.100s", problem.text);
        return;
    }
    *joined = reply.outcome == rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ADOPTED;
    snprintf(word, WORD_MAX, "%s %.100s", *joined ? "joined" : "refused", reply.reason);
}

/* A process that waits for its turn would miss it by the time that a sleep takes. */
static void spin(long microseconds)
{
    uint64_t until = boottime_now() + (uint64_t)microseconds * NS_IN_A_MICROSECOND;

    while (boottime_now() < until)
        ;
}

static void be_a_login(long microseconds, uint64_t decided, int answer)
{
    char word[WORD_MAX];
    bool joined;

    spin(microseconds);
    log_in(decided, word, &joined);
    if (write(answer, word, strlen(word)) < 0)
        _exit(1);
    close(answer);
    while (joined)
        nanosleep(&(struct timespec){.tv_nsec = BETWEEN_SLEEPS_NS}, NULL);
    _exit(0);
}

static void start(long microseconds, uint64_t decided)
{
    char word[WORD_MAX] = "killed";
    int answer[2];
    pid_t child;

    if (pipe(answer) < 0)
        fail("pipe");
    child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0) {
        close(answer[0]);
        be_a_login(microseconds, decided, answer[1]);
    }
    close(answer[1]);
    printf("%d started\n", (int)child);
    fflush(stdout);
    /* One write(2) of less than PIPE_BUF: it comes whole, or not at all. */
    ssize_t length = read(answer[0], word, sizeof word - 1);

    if (length > 0)
        word[length] = '\0';
    close(answer[0]);
    printf("%d %s\n", (int)child, word);
    fflush(stdout);
}

static void hold(void)
{
    struct problem problem = {""};
    int directory = open(login_directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char byte;

    if (user_lock(directory, visit.uid, deadline_in(1000), &problem) < 0)
        fail(problem.text);
    puts("held");
    fflush(stdout);
    while (read(STDIN_FILENO, &byte, 1) > 0)
        ;
}

int main(int count, char **arguments)
{
    char line[64];

    if (count < 3)
        fail("RUN UID [hold]");
    set_up(arguments[1], arguments[2]);
    if (count > 3) {
        hold();
        return 0;
    }
    signal(SIGCHLD, SIG_IGN); /* nobody waits for the processes */
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *rest;
        long microseconds = strtol(line, &rest, 10);

        start(microseconds, strtoull(rest, NULL, 10));
    }
    return 0;
}
