/* The real pam_rollcall.so before a login socket of ours (fake_socket.c). module_test PAM_ROLLCALL.SO LOGIN. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "application.h"
#include "fake_socket.h"
#include "tap.h"

static struct fake_socket login_socket;

static void open_login_socket(const struct fake_answer *answers, size_t count)
{
    fake_socket_open(&login_socket, login_socket_path, geteuid(), answers, count);
}

static struct fake_answer reply_of(rollcall_loginsocket_v1_ReplyOutcome outcome)
{
    struct fake_answer answer = {
        .manner = FAKE_REPLY,
        .where_peer_is = outcome == rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ADOPTED,
        .reply = {.outcome = outcome,
                  .job_id = 42,
                  .reason = "only-job",
                  .environment_count = 1,
                  .environment = {{.name = "SLURM_JOB_ID", .value = "42"}}},
    };

    return answer;
}

static void visit_with(struct fake_answer answer, const struct visit *how)
{
    open_login_socket(&answer, 1);
    visit(how);
    fake_socket_close(&login_socket);
}

/* Nobody listens: if the module asked, action_generic_failure would refuse. */
static void exemptions(void)
{
    visit(&(struct visit){.user = "root"});
    holds(said(ASIDE_ACCOUNT) && said("sockets 0\n") && said("lookups 0\n") && !said("log "),
          "root steps aside without a socket, a look-up or a word");
    visit(&(struct visit){.user = "toor"});
    holds(said(ASIDE_ACCOUNT) && said("sockets 0\n") && said("lookups 1\n"),
          "another name of uid 0 steps aside without a socket");
    visit(&(struct visit){.user = "root", .phases = {"open", "close"}});
    holds(said(ASIDE_SESSION) && said("close 14\n") && said("sockets 0\n") && said("lookups 0\n"),
          "root's session steps aside, too");
    visit(&(struct visit){.user = "root", .options = "ignore_root=0"});
    holds(said(REFUSED) && said("sockets 1\n"), "with ignore_root=0 root is asked about like anybody");
    visit(&(struct visit){.user = "root", .options = "ignore_root=1"});
    holds(said(ASIDE_ACCOUNT), "ignore_root=1, the default, may be written");
    visit(&(struct visit){.service = "su"});
    holds(said(ASIDE_ACCOUNT) && said("sockets 0\n") && said("lookups 0\n"), "another service steps aside");
    visit(&(struct visit){.service = "su", .options = "service=su"});
    holds(said(REFUSED) && said("sockets 1\n"), "service=su makes su the one");
    visit(&(struct visit){.options = "service=su"});
    holds(said(ASIDE_ACCOUNT) && said("sockets 0\n"), "and sshd another");
    visit(&(struct visit){.service = "crond", .options = "service=*"});
    holds(said(REFUSED) && said("sockets 1\n"), "service=* means every service");
}

static void mistakes_in_the_line(void)
{
    visit(&(struct visit){.options = "action_no_jobz=deny"});
    holds(said("account 3\n") && said("log unknown option action_no_jobz=deny\n") && said("error Access denied")
              && said("sockets 0\n"),
          "an unknown option refuses, and the log names it");
    visit(&(struct visit){.options = "action_unknown=newer log_level=quiet"});
    holds(said("account 3\n") && said("log unknown value in option action_unknown=newer\n"),
          "an unknown value refuses, and the log names it whatever log_level says");
    visit(&(struct visit){.options = "nonsense", .phases = {"open"}});
    holds(said("open 3\n") && said("log unknown option nonsense\n"), "a mistake refuses the session's start");
    visit(&(struct visit){.options = "nonsense", .phases = {"close"}});
    holds(said("close 0\n"), "a mistake does not refuse the session's end");
    visit(&(struct visit){.user = "root", .options = "nonsense ignore_root=perhaps"});
    holds(said(ASIDE_ACCOUNT) && said("sockets 0\n"), "a mistake does not shut root out");
    visit(&(struct visit){.service = "su", .options = "nonsense"});
    holds(said(ASIDE_ACCOUNT), "a mistake does not touch other services");
    visit(&(struct visit){.user = "mallory"});
    holds(said("account 10\n") && said("log no such user: \"mallory\"") && said("sockets 0\n"),
          "a user without an entry is PAM_USER_UNKNOWN");
    visit(&(struct visit){.user = "unreachable"});
    holds(said("account 4\n") && said("log cannot look up user"), "a directory that fails is PAM_SYSTEM_ERR");
}

static void outcomes(void)
{
    struct fake_answer answer = reply_of(rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ADOPTED);

    visit_with(answer, &(struct visit){.options = ""});
    holds(said(LET_IN) && said("env SLURM_JOB_ID=42\n") && said("log user alice is in job 42: only-job")
              && !said("info") && said("leaked 0\n"),
          "an adopted process is let in, with the job's variables, and without a word");
    strcpy(answer.reply.message, "this is job 42");
    visit_with(answer, &(struct visit){.tty = "/dev/pts/3"});
    holds(said(LET_IN) && said("info this is job 42\n"), "a note is shown on a terminal");
    visit_with(answer, &(struct visit){.tty = "ssh"});
    holds(said(LET_IN) && !said("info"), "a note is not shown where no terminal was asked for");
    visit_with(answer, &(struct visit){.tty = "/dev/pts/3", .flags = "silent"});
    holds(said(LET_IN) && !said("info"), "a note is not shown under PAM_SILENT");

    answer = reply_of(rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ALLOWED);
    visit_with(answer, &(struct visit){.options = ""});
    holds(said(LET_IN) && !said("env"), "an allowed process is let in, without a job's variables");

    answer = reply_of(rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_DENIED);
    strcpy(answer.reply.message, "you have no active jobs\33[2J here");
    visit_with(answer, &(struct visit){.options = ""});
    holds(said(REFUSED) && said("error Access denied by pam_rollcall on ")
              && said(": you have no active jobs?[2J here\n") && !said("env"),
          "a refused user is told why, in characters that a terminal does not obey");
    visit_with(answer, &(struct visit){.flags = "silent"});
    holds(said(REFUSED) && !said("error"), "under PAM_SILENT nothing is said");

    visit_with(reply_of(rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_STEP_ASIDE), &(struct visit){.options = ""});
    holds(said(ASIDE_ACCOUNT), "told to step aside, the module does");
}

static int infos(void)
{
    int count = 0;

    for (const char *at = strstr(output, "info "); at != NULL; at = strstr(at + 1, "info "))
        count++;
    return count;
}

static void guesses(void)
{
    struct fake_answer answer = reply_of(rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ADOPTED);

    strcpy(answer.reply.reason, "newest-job");
    visit_with(answer, &(struct visit){.tty = "ssh", .phases = {"account", "open", "close"}});
    holds(said(LET_IN) && said("open 0\n") && infos() == 2
              && said("info rollcall: this session is in job 42, the newest") && said("\"rollcall switch --next JOB\""),
          "sshd is given one note of a guessed job, and how to choose");
    visit_with(answer, &(struct visit){.tty = "ssh", .phases = {"account"}});
    holds(said(LET_IN) && infos() == 0, "but not in account, where sshd shows it although no terminal was asked for");
    visit_with(answer, &(struct visit){.tty = "ssh", .phases = {"open"}});
    holds(said("open 0\n") && infos() == 2, "also if account was done by another process");
    visit_with(answer, &(struct visit){.tty = "/dev/pts/3", .phases = {"account", "open"}});
    holds(infos() == 2, "a terminal is given it once");
    visit_with(answer, &(struct visit){.tty = "-", .phases = {"account", "open"}});
    holds(said("open 0\n") && infos() == 0, "nothing is shown without a terminal");
    visit_with(answer, &(struct visit){.tty = "ssh", .flags = "silent", .phases = {"account", "open"}});
    holds(said("open 0\n") && infos() == 0, "nor under PAM_SILENT");
    strcpy(answer.reply.reason, "caller-elsewhere");
    visit_with(answer, &(struct visit){.tty = "ssh", .phases = {"account", "open"}});
    holds(said("open 0\n") && infos() == 2 && said("the newest of your jobs here, because you came from none of them."),
          "a user who came from none of them is given the note, too");
    strcpy(answer.reply.reason, "caller-job");
    visit_with(answer, &(struct visit){.tty = "ssh", .phases = {"account", "open"}});
    holds(said("open 0\n") && infos() == 0, "a job that was not guessed needs no note");
    strcpy(answer.reply.environment[0].name, "ROLLCALL_LEFT_OUT");
    strcpy(answer.reply.environment[0].value, "CUDA_VISIBLE_DEVICES");
    answer.reply.environment_count = 1;
    visit_with(answer, &(struct visit){.tty = "ssh", .phases = {"account", "open"}});
    holds(said("info rollcall: this session has no CUDA_VISIBLE_DEVICES: ") && infos() == 1,
          "a value that no session can get is named on a terminal");
}

static void variables(void)
{
    struct fake_answer answer = reply_of(rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ADOPTED);

    answer.reply.environment_count = 7;
    strcpy(answer.reply.environment[1].name, "LD_PRELOAD");
    strcpy(answer.reply.environment[1].value, "/tmp/evil.so");
    strcpy(answer.reply.environment[2].name, "A=B");
    strcpy(answer.reply.environment[3].name, "EMPTY");
    strcpy(answer.reply.environment[4].name, "CUDA_VISIBLE_DEVICES");
    strcpy(answer.reply.environment[4].value, "0,1=x");
    memset(answer.reply.environment[5].value, 'y', 1024);
    strcpy(answer.reply.environment[6].value, "z");
    visit_with(answer, &(struct visit){.options = ""});
    holds(said("env SLURM_JOB_ID=42\n") && said("env CUDA_VISIBLE_DEVICES=0,1=xyyy") && said("yyyz\n")
              && said("env EMPTY=\n"),
          "the job's variables are set");
    holds(said(LET_IN) && !said("env LD_") && !said("env A=") && said("log variable \"LD_PRELOAD\""),
          "variables of the dynamic linker, and names with '=', are not");
}

static void adoption_that_is_not(void)
{
    struct fake_answer answer = reply_of(rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ADOPTED);

    answer.where_peer_is = false;
    strcpy(answer.reply.cgroup_path, "/rollcall.scope/job_42/step_extern/user/session_1");
    visit_with(answer, &(struct visit){.options = ""});
    holds(said(REFUSED) && said("error Access denied") && said("log user alice is not in job 42") && !said("env"),
          "an agent that only says that it adopted is not believed");
    visit_with(answer, &(struct visit){.options = "action_generic_failure=allow action_adopt_failure=deny"});
    holds(said(REFUSED), "action_generic_failure does not matter there");
    visit_with(answer, &(struct visit){.options = "action_adopt_failure=allow"});
    holds(said(LET_IN) && !said("env"), "action_adopt_failure=allow lets in, without the job's variables");
    answer.reply.cgroup_path[0] = '\0';
    visit_with(answer, &(struct visit){.options = ""});
    holds(said(REFUSED), "a reply that names no cgroup is not believed either");
}

/* The user and the log have the agent's own words. */
static void failure_with_a_message(void)
{
    struct fake_answer answer = reply_of(rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_FAILED);

    strcpy(answer.reply.message, "the jobs of this node are unknown");
    visit_with(answer, &(struct visit){0});
    holds(said(REFUSED) && said("cannot decide now, try again: the jobs of this node are unknown")
              && said("log no decision about user alice: the jobs of this node are unknown"),
          "an agent that failed gives its reason");
}

static void generic_failures(void)
{
    static const struct {
        enum fake_manner manner;
        rollcall_loginsocket_v1_ReplyOutcome outcome;
        const char *what;
    } FAILURES[] = {
        {FAKE_REPLY, rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_FAILED, "an agent that failed"},
        {FAKE_REPLY, rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_UNSPECIFIED, "a reply without an outcome"},
        {FAKE_REPLY, (rollcall_loginsocket_v1_ReplyOutcome)77, "a reply with an outcome of the future"},
        {FAKE_EMPTY, rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ALLOWED, "an empty reply"},
        {FAKE_GARBAGE, rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ALLOWED, "a reply that is garbage"},
        {FAKE_OVERSIZED, rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ALLOWED, "an oversized reply"},
        {FAKE_TRUNCATED, rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ALLOWED, "a truncated reply"},
        {FAKE_HANG_UP, rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ALLOWED, "a login socket that hangs up"},
        {FAKE_SILENT, rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ALLOWED, "a silent login socket"},
    };
    static const struct {
        const char *option;
        const char *result;
    } ACTIONS[] = {{"", REFUSED},
                   {"action_generic_failure=deny", REFUSED},
                   {"action_generic_failure=ignore", ASIDE_ACCOUNT},
                   {"action_generic_failure=allow", LET_IN}};

    for (size_t i = 0; i < sizeof FAILURES / sizeof *FAILURES; i++) {
        for (size_t j = 0; j < sizeof ACTIONS / sizeof *ACTIONS; j++) {
            struct fake_answer answer = reply_of(FAILURES[i].outcome);
            char options[128];
            char what[256];

            answer.manner = FAILURES[i].manner;
            snprintf(options, sizeof options, "timeout_ms=100 %s", ACTIONS[j].option);
            visit_with(answer, &(struct visit){.options = options});
            snprintf(what, sizeof what, "%s, %s: %.*s", FAILURES[i].what,
                     ACTIONS[j].option[0] != '\0' ? ACTIONS[j].option : "by default",
                     (int)strlen(ACTIONS[j].result) - 1, ACTIONS[j].result);
            holds(said(ACTIONS[j].result) && said("log no decision about user alice: ") && said("leaked 0\n")
                      && !said("env"),
                  what);
        }
    }
    visit(&(struct visit){.options = ""});
    holds(said(REFUSED) && said("No such file") && said(login_socket_path)
              && said("error Access denied by pam_rollcall"),
          "a login socket that is not there refuses; the log names it, the user is told");
    visit(&(struct visit){.options = "log_level=quiet"});
    holds(said(REFUSED) && !said("log "), "log_level=quiet keeps the log empty");
}

static rollcall_loginsocket_v1_LoginRequest asked(void)
{
    rollcall_loginsocket_v1_LoginRequest request = rollcall_loginsocket_v1_LoginRequest_init_zero;

    if (!fake_socket_request(&login_socket, &request))
        tap(false, "the login socket was asked");
    return request;
}

static void sessions(void)
{
    struct fake_answer adopted = reply_of(rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ADOPTED);
    struct fake_answer lie = adopted;
    struct fake_answer answers[3];

    lie.where_peer_is = false;
    strcpy(lie.reply.cgroup_path, "/somewhere/else");
    open_login_socket(&adopted, 1);
    visit(&(struct visit){.phases = {"account", "open", "close"}});
    holds(said(LET_IN) && said("open 0\n") && said("close 0\n") && said("leaked 0\n"), "a whole login is let in");
    holds(asked().phase == rollcall_loginsocket_v1_Phase_PHASE_ACCOUNT
              && asked().phase == rollcall_loginsocket_v1_Phase_PHASE_OPEN_SESSION
              && asked().phase == rollcall_loginsocket_v1_Phase_PHASE_CLOSE_SESSION,
          "the login socket is asked in account, again in open_session, and told in close_session");
    fake_socket_close(&login_socket);

    answers[0] = adopted;
    answers[1] = lie;
    open_login_socket(answers, 2);
    visit(&(struct visit){.phases = {"account", "open"}});
    fake_socket_close(&login_socket);
    holds(said(LET_IN) && said("open 6\n") && said("not in /somewhere/else"),
          "a session that was moved out of its job in between is refused");

    visit_with(adopted, &(struct visit){.phases = {"open"}});
    holds(said("open 0\n") && said("env SLURM_JOB_ID=42"),
          "a session whose account was done by another process is adopted");

    answers[0] = adopted;
    answers[1] = reply_of(rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_DENIED);
    open_login_socket(answers, 2);
    visit(&(struct visit){.phases = {"account", "open"}});
    fake_socket_close(&login_socket);
    holds(said(LET_IN) && said("open 6\n"), "a session whose job ended in between is refused");

    answers[0] = adopted;
    answers[1] = adopted;
    answers[2] = adopted;
    answers[2].manner = FAKE_SILENT;
    open_login_socket(answers, 3);
    visit(&(struct visit){.phases = {"account", "open", "close"}});
    fake_socket_close(&login_socket);
    holds(said("close 0\n") && said("log the agent could not be notified that user alice left: deadline"),
          "the end of a session never fails");
}

static void sessions_without_a_job(void)
{
    open_login_socket(
        &(struct fake_answer){.reply = {.outcome = rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ALLOWED}}, 1);
    visit(&(struct visit){.phases = {"account", "open", "close"}});
    asked();
    holds(said(LET_IN) && said("open 0\n") && said("close 0\n") && said("sockets 1\n")
              && !fake_socket_was_asked(&login_socket),
          "who was allowed without a job is not asked about again");
    fake_socket_close(&login_socket);
    open_login_socket(
        &(struct fake_answer){.reply = {.outcome = rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_STEP_ASIDE}}, 1);
    visit(&(struct visit){.phases = {"account", "open", "close"}});
    holds(said(ASIDE_ACCOUNT) && said(ASIDE_SESSION) && said("sockets 1\n"),
          "having stepped aside in account, the module does so in session");
    fake_socket_close(&login_socket);
    visit(&(struct visit){.options = "action_generic_failure=ignore", .phases = {"account", "open"}});
    holds(said(ASIDE_ACCOUNT) && said(ASIDE_SESSION) && said("sockets 1\n"),
          "action_generic_failure=ignore holds for the whole login");
    visit(&(struct visit){.options = "action_generic_failure=allow", .phases = {"account", "open"}});
    holds(said(LET_IN) && said("open 0\n") && said("sockets 1\n"), "action_generic_failure=allow does, too");
    visit(&(struct visit){.phases = {"close"}});
    holds(said("close 0\n") && said("sockets 0\n"), "the end of a session that was not opened tells nobody");
}

static struct fake_answer offer(void)
{
    struct fake_answer answer = {
        .manner = FAKE_REPLY,
        .reply = {.outcome = rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_CHOOSE,
                  .offered_jobs_count = 2,
                  .offered_jobs = {{.job_id = 57, .words = "since 2026-11-20 18:02"},
                                   {.job_id = 42, .words = "since 2026-11-20 17:40"}}},
    };

    return answer;
}

static void offered(const struct visit *how)
{
    struct fake_answer answers[2] = {offer(), reply_of(rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ADOPTED)};

    open_login_socket(answers, 2);
    visit(how);
}

/* The first request carried no choice, the second one this job; 0: that there is none. */
static bool chose(uint64_t job)
{
    rollcall_loginsocket_v1_LoginRequest first = asked();
    rollcall_loginsocket_v1_LoginRequest second = asked();
    bool nobody_else = !fake_socket_was_asked(&login_socket);

    fake_socket_close(&login_socket);
    return first.which_choice == 0 && first.options.choose && nobody_else && second.options.choose
           && (job == 0 ? second.which_choice == rollcall_loginsocket_v1_LoginRequest_none_chosen_tag
                              && second.choice.none_chosen
                        : second.which_choice == rollcall_loginsocket_v1_LoginRequest_chosen_job_id_tag
                              && second.choice.chosen_job_id == job);
}

static int questions(void)
{
    int count = 0;

    for (const char *at = strstr(output, "asked "); at != NULL; at = strstr(at + 1, "asked "))
        count++;
    return count;
}

static long long took_us(void)
{
    const char *took = strstr(output, "took ");

    return took == NULL ? -1 : atoll(took + 5);
}

static void choices(void)
{
    struct fake_answer answers[3];

    offered(&(struct visit){.options = "choose=1", .answers = "2"});
    holds(chose(42) && said(LET_IN) && questions() == 1 && said("leaked 0\n")
              && said(
                  "asked You have several jobs here; for which of them is this session?|  1) job 57, since 2026-11-20 "
                  "18:02|"
                  "  2) job 42, since 2026-11-20 17:40|Number of the line or of the job, or Enter for the newest: \n"),
          "the user is shown the jobs, and the one that they name is told");
    offered(&(struct visit){.options = "choose=1", .answers = " 57 "});
    holds(chose(57) && said(LET_IN), "a job may be named by its own number");
    offered(&(struct visit){.options = "choose=1", .answers = "3,-1,2"});
    holds(chose(42) && said(LET_IN) && questions() == 3 && said("asked That is none of these jobs:|  1) job 57"),
          "a number that is none of them asks again");
    offered(&(struct visit){.options = "choose=1", .answers = "0,correct horse,4294967339,1"});
    holds(chose(0) && said(LET_IN) && questions() == 3 && !said("horse"),
          "three times at most; then there is no choice, and what was typed is in no log");
    offered(&(struct visit){.options = "choose=1", .answers = "99999999999999999999,"});
    holds(chose(0) && said(LET_IN) && questions() == 2, "an empty answer is no choice");
    offered(&(struct visit){.options = "choose=1", .answers = "7,!"});
    holds(chose(0) && questions() == 1, "so is a user who has gone");

    offered(&(struct visit){.options = "choose=1 timeout_ms=250"});
    holds(chose(0) && said(LET_IN) && !said("asked") && !said("info") && !said("error") && took_us() < 200000,
          "where the conversation cannot ask, nothing is shown, and there is no choice at once");
    offered(&(struct visit){.options = "choose=1", .flags = "mute"});
    holds(chose(0) && said(LET_IN), "nor where there is no conversation");
    offered(&(struct visit){.options = "choose=1", .flags = "silent", .answers = "1"});
    holds(chose(0) && said(LET_IN) && !said("asked"), "nor under PAM_SILENT");

    answers[0] = offer();
    strcpy(answers[0].reply.offered_jobs[0].words, "a\33[2J\nb\303\251");
    answers[1] = reply_of(rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ADOPTED);
    open_login_socket(answers, 2);
    visit(&(struct visit){.options = "choose=1 action_unknown=deny", .answers = ""});
    holds(chose(0) && said("1) job 57, a?[2J?b??|  2)") && said("or Enter to leave: \n"),
          "the terminal is told nothing that it obeys");
    answers[0].reply.offered_jobs_count = 16;
    for (size_t i = 0; i < 16; i++) {
        answers[0].reply.offered_jobs[i].job_id = UINT64_MAX - i;
        memset(answers[0].reply.offered_jobs[i].words, 'w', 63);
    }
    open_login_socket(answers, 2);
    visit(&(struct visit){.options = "choose=1 action_unknown=allow", .answers = "16"});
    holds(chose(UINT64_MAX - 15) && said("16) job 18446744073709551600, wwww") && said("or Enter for none: \n"),
          "sixteen jobs of the longest words have room");

    answers[0] = offer();
    answers[1] = offer();
    answers[1].reply.offered_jobs_count = 1;
    answers[2] = reply_of(rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ADOPTED);
    open_login_socket(answers, 3);
    visit(&(struct visit){.options = "choose=1", .answers = "2,1"});
    fake_socket_close(&login_socket);
    holds(said(LET_IN) && questions() == 2 && said("sockets 3\n"), "a job that ended meanwhile is offered no more");
    open_login_socket(answers, 1);
    visit(&(struct visit){.options = "choose=1", .answers = "1,1,1,1,1"});
    fake_socket_close(&login_socket);
    holds(said(REFUSED) && questions() == 3 && said("sockets 5\n") && said("log no decision about user alice"),
          "an agent that never decides is asked no more than five times");

    offered(&(struct visit){.options = "choose=1 action_generic_failure=deny", .answers = "1", .phases = {"open"}});
    fake_socket_close(&login_socket);
    holds(said("open 6\n") && !said("asked"), "nobody is asked when the session begins");
    offered(&(struct visit){.answers = "1"});
    fake_socket_close(&login_socket);
    holds(said(REFUSED) && !said("asked") && said("sockets 1\n"), "nor without choose=1");
    open_login_socket(&answers[2], 1);
    visit(&(struct visit){.answers = "1"});
    holds(!asked().options.choose && said(LET_IN), "which the agent is not told of");
    fake_socket_close(&login_socket);
}

/* The accepted end stays open in the application, as the connection does in sshd. */
static uint16_t accept_call(int *accepted, uint16_t *caller_port)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof name;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int caller = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    uint16_t port;

    must(bind(listener, (struct sockaddr *)&name, sizeof name), "bind");
    must(listen(listener, 1), "listen");
    must(getsockname(listener, (struct sockaddr *)&name, &length), "getsockname");
    port = ntohs(name.sin_port);
    must(connect(caller, (struct sockaddr *)&name, sizeof name), "connect");
    *accepted = accept(listener, NULL, NULL);
    must(*accepted, "accept");
    must(getsockname(caller, (struct sockaddr *)&name, &length), "getsockname");
    *caller_port = ntohs(name.sin_port);
    close(listener);
    return port;
}

static void requests(void)
{
    static const uint8_t LOOPBACK[4] = {127, 0, 0, 1};
    struct fake_answer adopted = reply_of(rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ADOPTED);
    rollcall_loginsocket_v1_LoginRequest request;
    int accepted;
    uint16_t caller_port;
    uint16_t port = accept_call(&accepted, &caller_port);
    char options[256];

    snprintf(options, sizeof options,
             "port=%u timeout_ms=4000 action_no_jobs=ignore action_unknown=deny action_adopt_failure=allow "
             "single_job_skip_rpc=0 disable_x11=0 join_container=false nodename=n7",
             port);
    open_login_socket(&adopted, 1);
    visit(&(struct visit){.options = options, .rhost = "127.0.0.1"});
    request = asked();
    fake_socket_close(&login_socket);
    holds(request.version == 1 && strcmp(request.service, "sshd") == 0 && strcmp(request.user, "alice") == 0
              && request.uid == 1001 && strcmp(request.remote_host, "127.0.0.1") == 0 && strcmp(request.tty, "ssh") == 0
              && strcmp(request.node_name, "n7") == 0 && request.patience_ms > 0 && request.patience_ms <= 4000,
          "the request says who comes, and how long the module waits");
    holds(request.local_address.size == 4 && memcmp(request.local_address.bytes, LOOPBACK, 4) == 0
              && request.remote_address.size == 4 && memcmp(request.remote_address.bytes, LOOPBACK, 4) == 0
              && request.local_port == port && request.remote_port == caller_port
              && request.connection_problem[0] == '\0',
          "the request says by which connection");
    holds(request.options.action_no_jobs == rollcall_loginsocket_v1_Choice_CHOICE_IGNORE
              && request.options.action_unknown == rollcall_loginsocket_v1_Choice_CHOICE_DENY
              && request.options.action_adopt_failure == rollcall_loginsocket_v1_Choice_CHOICE_ALLOW
              && request.options.single_job_ask_caller && !request.options.disable_x11
              && request.options.stay_outside_container,
          "the request carries the options");
    open_login_socket(&adopted, 1);
    visit(&(struct visit){.rhost = "127.0.0.1"});
    request = asked();
    fake_socket_close(&login_socket);
    holds(request.local_address.size == 0 && request.remote_address.size == 0 && request.local_port == 0
              && strstr(request.connection_problem, "no established connection") != NULL,
          "a connection to another port is unknown, and the request says why");
    holds(request.options.action_no_jobs == rollcall_loginsocket_v1_Choice_CHOICE_DENY
              && request.options.action_unknown == rollcall_loginsocket_v1_Choice_CHOICE_NEWEST
              && request.options.action_adopt_failure == rollcall_loginsocket_v1_Choice_CHOICE_DENY
              && !request.options.single_job_ask_caller && request.options.disable_x11
              && !request.options.stay_outside_container && request.node_name[0] == '\0',
          "the defaults are told, too");
    close(accepted);
    open_login_socket(&adopted, 1);
    visit(&(struct visit){.rhost = "h\xc3\xb6st.example"});
    request = asked();
    fake_socket_close(&login_socket);
    holds(strcmp(request.remote_host, "h??st.example") == 0, "what is not ASCII does not spoil the request");
}

static void groups(void)
{
    struct fake_answer adopted = reply_of(rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ADOPTED);
    struct fake_answer answers[2];

    if (geteuid() != 0) {
        tap_say("not root: no group was joined");
        return;
    }
    visit(&(struct visit){.phases = {"auth", "cred"}});
    holds(said("auth 0\n") && said("cred 0\n") && said("sockets 0\n") && said("lookups 0\n"),
          "in the auth stack the module asks nobody and decides nothing");
    adopted.reply.has_gid = true;
    adopted.reply.gid = 54321;
    visit_with(adopted, &(struct visit){.phases = {"auth", "account", "groups", "cred", "groups"}});
    holds(said("cred 0\n") && strstr(strstr(output, "groups"), "cred") != NULL && said(" 54321\n")
              && strstr(strstr(output, "cred"), " 54321\n") != NULL,
          "the job's group is among the session's after setcred");
    visit_with(adopted, &(struct visit){.phases = {"account", "cred", "cred", "groups"}});
    holds(said(" 54321\n") && strstr(strstr(output, " 54321") + 1, " 54321") == NULL, "it is there once");
    visit_with(adopted, &(struct visit){.phases = {"account", "uncred", "groups"}});
    holds(!said(" 54321\n"), "not when the credentials are deleted");
    adopted.reply.gid = 0;
    visit_with(adopted, &(struct visit){.phases = {"account", "cred", "groups"}});
    holds(said("cred 0\n"), "a group is a group, if its number is 0");
    adopted.reply.gid = 54321;
    answers[0] = adopted;
    answers[1] = reply_of(rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ALLOWED);
    open_login_socket(answers, 2);
    visit(&(struct visit){.phases = {"account", "open", "cred", "groups"}});
    fake_socket_close(&login_socket);
    holds(said("open 0\n") && !said(" 54321\n"), "a session that is not in the job does not have the job's group");
    adopted.reply.has_gid = false;
    visit_with(adopted, &(struct visit){.phases = {"account", "cred", "groups"}});
    holds(!said(" 54321\n"), "no group named, none joined");
}

static void limits(void)
{
    struct fake_answer adopted = reply_of(rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ADOPTED);

    adopted.reply.rlimits_count = 1;
    adopted.reply.rlimits[0] = (rollcall_loginsocket_v1_SessionRlimit){7, 60, 61};
    visit_with(adopted, &(struct visit){.phases = {"account", "nofile"}});
    holds(said(LET_IN) && !said("nofile 60:61\n"), "account sets no limit");
    visit_with(adopted, &(struct visit){.phases = {"account", "open", "nofile"}});
    holds(said("open 0\n") && said("nofile 60:61\n"), "the session has the job's limits");
    adopted.reply.rlimits[0] = (rollcall_loginsocket_v1_SessionRlimit){99, 1, 1};
    visit_with(adopted, &(struct visit){.phases = {"account", "open"}});
    holds(said("open 6\n") && said("cannot set rlimit 99 to 1:1: Invalid argument"),
          "a limit that cannot be set refuses, and the log names it");
    visit_with(adopted, &(struct visit){.options = "action_adopt_failure=allow", .phases = {"account", "open"}});
    holds(said("open 0\n") && said("cannot set rlimit 99"), "unless adoption failures are allowed");
}

static void set_oom_score(const char *score)
{
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

    if (write(file, score, strlen(score)) < 0)
        perror("oom_score_adj");
    close(file);
}

/* As in an sshd that was started with another value than 0. */
static void oom_scores(void)
{
    struct fake_answer adopted = reply_of(rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ADOPTED);

    set_oom_score("300");
    visit_with(adopted, &(struct visit){.phases = {"account", "oom"}});
    holds(said(LET_IN) && said("oom 300\n"), "account leaves oom_score_adj as it is");
    visit_with(adopted, &(struct visit){.phases = {"account", "open", "oom"}});
    holds(said("open 0\n") && said("oom 0\n"), "a session in a job has the oom_score_adj of the job's steps");
    visit(&(struct visit){.user = "root", .phases = {"account", "open", "oom"}});
    holds(said("oom 300\n"), "root's session keeps it");
    set_oom_score("0");
}

/* A process that waits in a mount namespace of its own, and its descriptor. */
static pid_t hold_mounts(int *fd)
{
    int ready[2];
    char path[64];
    char sign;
    pid_t pid;

    must(pipe(ready), "pipe");
    pid = fork();
    must(pid, "fork");
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        must(unshare(CLONE_NEWNS), "unshare");
        must((int)write(ready[1], "!", 1), "write");
        pause();
        _exit(0);
    }
    close(ready[1]);
    must(read(ready[0], &sign, 1) == 1 ? 0 : -1, "holder");
    close(ready[0]);
    snprintf(path, sizeof path, "/proc/%d/ns/mnt", (int)pid);
    *fd = open(path, O_RDONLY);
    must(*fd, path);
    return pid;
}

static void containers(void)
{
    struct fake_answer adopted = reply_of(rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ADOPTED);
    struct stat namespace;
    char expected[64];
    pid_t holder;

    if (geteuid() != 0) {
        tap_say("not root: no namespace was joined");
        return;
    }
    holder = hold_mounts(&adopted.descriptors[0]);
    must(fstat(adopted.descriptors[0], &namespace), "fstat");
    snprintf(expected, sizeof expected, "mounts mnt:[%lu]\n", (unsigned long)namespace.st_ino);
    fcntl(adopted.descriptors[0], F_SETFD, FD_CLOEXEC);
    adopted.manner = FAKE_DESCRIPTORS;
    adopted.descriptor_count = 1;
    adopted.reply.namespaces_count = 1;
    adopted.reply.namespaces[0] = rollcall_loginsocket_v1_NamespaceKind_NAMESPACE_KIND_MOUNT;
    visit_with(adopted, &(struct visit){.phases = {"account", "mounts"}});
    holds(said(LET_IN) && !said(expected) && said("leaked 0\n"), "account joins no namespace");
    visit_with(adopted, &(struct visit){.phases = {"account", "open", "mounts", "close"}});
    holds(said("open 0\n") && said(expected) && said("close 0\n") && said("leaked 0\n")
              && said("env SLURM_JOB_ID=42\n"),
          "the session is in the job's mount namespace");
    visit_with(adopted, &(struct visit){.options = "join_container=false", .phases = {"account", "open", "mounts"}});
    holds(said("open 0\n") && !said(expected) && said("leaked 0\n"), "not with join_container=false");
    adopted.reply.namespaces[0] = rollcall_loginsocket_v1_NamespaceKind_NAMESPACE_KIND_PID;
    visit_with(adopted, &(struct visit){.phases = {"account", "open", "mounts"}});
    holds(said("open 6\n") && !said(expected) && said("leaked 0\n") && said("log user alice is not in job 42"),
          "a namespace of another kind than is said refuses");
    visit_with(adopted,
               &(struct visit){.options = "action_adopt_failure=allow", .phases = {"account", "open", "mounts"}});
    holds(said("open 0\n") && !said(expected) && said("leaked 0\n"), "unless adoption failures are allowed");
    adopted.reply.namespaces_count = 2;
    visit_with(adopted, &(struct visit){.phases = {"account", "open"}});
    holds(said("open 6\n") && said("2 namespaces were named and 1 came"), "fewer descriptors than were named refuse");
    close(adopted.descriptors[0]);
    kill(holder, SIGKILL);
    waitpid(holder, NULL, 0);
}

int main(int count, char **arguments)
{
    if (!application_begin(count, arguments))
        return 2;
    exemptions();
    mistakes_in_the_line();
    outcomes();
    guesses();
    variables();
    adoption_that_is_not();
    generic_failures();
    failure_with_a_message();
    sessions();
    sessions_without_a_job();
    choices();
    requests();
    groups();
    limits();
    oom_scores();
    containers();
    application_end();
    return tap_done();
}
