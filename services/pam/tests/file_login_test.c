/* Logins by the agent's files: the real pam_rollcall.so, files as an agent writes them, and a real cgroup. As root.
 * file_login_test PAM_ROLLCALL.SO LOGIN. */
#include <fcntl.h>
#include <pb_decode.h>
#include <pb_encode.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "application.h"
#include "fake_socket.h"
#include "rollcall/login/v1/login.pb.h"
#include "tap.h"

#define ALICE 1001
#define OPEN rollcall_login_v1_JobState_JOB_STATE_OPEN
#define SUSPENDED rollcall_login_v1_JobState_JOB_STATE_SUSPENDED
#define RECORDS_MAX (64 * 1024)
#define AROUND 12

static char boot_id[40];
static char cgroup[64];
static char cgroup_directory[128];
static int agent_lock = -1;

static void path_of(const char *name, char path[160])
{
    snprintf(path, 160, "%s/login/%s", directory, name);
}

static void make_directory(const char *name)
{
    char path[160];

    path_of(name, path);
    must(mkdir(path, 0700), path);
}

static void write_file(const char *name, const void *bytes, size_t length)
{
    char path[160];
    int fd;

    path_of(name, path);
    unlink(path);
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    must(fd, path);
    must(write(fd, bytes, length) == (ssize_t)length ? 0 : -1, path);
    close(fd);
}

static void write_message(const char *name, const pb_msgdesc_t *fields, const void *message)
{
    static uint8_t bytes[64 * 1024];
    pb_ostream_t stream = pb_ostream_from_buffer(bytes, sizeof bytes);

    must(pb_encode(&stream, fields, message) ? 0 : -1, name);
    write_file(name, bytes, stream.bytes_written);
}

static void write_node(bool knows_all_jobs)
{
    static rollcall_login_v1_Node node;

    node = (rollcall_login_v1_Node){.version = 1, .complete = true, .knows_all_jobs = knows_all_jobs};
    strcpy(node.boot_id, boot_id);
    strcpy(node.node, "n1");
    strcpy(node.denied_help, "https://hpc.example/ssh");
    write_message("node", rollcall_login_v1_Node_fields, &node);
}

static void write_user(const rollcall_login_v1_UserJob *jobs, size_t count, uint64_t chosen)
{
    static rollcall_login_v1_User user;

    memset(&user, 0, sizeof user);
    user.version = 1;
    user.uid = ALICE;
    user.complete = true;
    user.chosen_job_id = chosen;
    strcpy(user.boot_id, boot_id);
    user.jobs_count = (pb_size_t)count;
    memcpy(user.jobs, jobs, count * sizeof *jobs);
    write_message("users/1001", rollcall_login_v1_User_fields, &user);
}

static rollcall_login_v1_Job job_41(void)
{
    rollcall_login_v1_Job job = {.version = 1, .job_id = 41, .uid = ALICE, .complete = true, .cgroups_count = 1};

    strcpy(job.boot_id, boot_id);
    strcpy(job.cgroups[0].directory, cgroup_directory);
    strcpy(job.cgroups[0].path, cgroup);
    job.environment_count = 2;
    strcpy(job.environment[0].name, "SLURM_NODELIST");
    strcpy(job.environment[0].value, "n[1-2]");
    strcpy(job.environment[1].name, "SLURM_JOB_ID"); /* not the job's to say */
    strcpy(job.environment[1].value, "7");
    return job;
}

static void write_job(const rollcall_login_v1_Job *job)
{
    write_message("jobs/41", rollcall_login_v1_Job_fields, job);
}

/* One open job, 41, as an agent that may be gone left it. */
static void write_all(void)
{
    rollcall_login_v1_UserJob job = {.job_id = 41, .state = OPEN, .started_at_ns = 1};
    rollcall_login_v1_Job file = job_41();

    write_node(true);
    write_user(&job, 1, 0);
    write_job(&file);
    write_file("users/1001.lock", "", 0);
    write_file("log", "", 0);
}

static void agent_lives(bool lives)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char path[160];

    if (agent_lock >= 0)
        close(agent_lock);
    agent_lock = -1;
    if (!lives)
        return;
    path_of("agent.lock", path);
    agent_lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    must(agent_lock, path);
    must(fcntl(agent_lock, F_OFD_SETLK, &lock), path);
}

static uint32_t number(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* How many records are in the log, and the last one. */
static size_t records(rollcall_login_v1_Record *last)
{
    static uint8_t bytes[RECORDS_MAX];
    char path[160];
    size_t count = 0;
    ssize_t length;
    int fd;

    path_of("log", path);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    must(fd, path);
    length = read(fd, bytes, sizeof bytes);
    close(fd);
    for (ssize_t at = 0; at + AROUND <= length; count++) {
        uint32_t size = number(bytes + at + 4);
        pb_istream_t stream = pb_istream_from_buffer(bytes + at + AROUND, size);

        must(pb_decode(&stream, rollcall_login_v1_Record_fields, last) ? 0 : -1, "record");
        at += AROUND + (ssize_t)size;
    }
    return count;
}

static rollcall_login_v1_Record record;

/* A session's leaf is there only because a process made it and went there. */
static bool removed_leaf(void)
{
    char leaf[768];

    snprintf(leaf, sizeof leaf, "%.*s%s", (int)(strlen(cgroup_directory) - strlen(cgroup)), cgroup_directory,
             record.cgroup_path);
    return rmdir(leaf) == 0;
}

static void one_job(void)
{
    char word[64];

    write_all();
    visit(&(struct visit){.phases = {"account", "open"}});
    holds(said(LET_IN) && said("open 0\n") && said("sockets 0\n") && said("leaked 0\n"),
          "a user with one job is let in, and no agent is asked");
    holds(said("env SLURM_JOB_ID=41\n") && said("env ROLLCALL_REASON=only-job\n") && said("env SLURM_NODELIST=n[1-2]\n")
              && said("env ROLLCALL_DOUBT=no agent answered\n"),
          "with the job's variables");
    tap(records(&record) == 1 && record.outcome == rollcall_login_v1_Outcome_OUTCOME_ADOPTED && record.job_id == 41
            && record.uid == ALICE && strcmp(record.user, "alice") == 0 && strcmp(record.service, "sshd") == 0
            && strcmp(record.reason, "only-job") == 0 && record.agent_away
            && record.phase == rollcall_login_v1_Phase_PHASE_ACCOUNT && strcmp(record.boot_id, boot_id) == 0,
        "it is recorded once");
    snprintf(word, sizeof word, "env ROLLCALL_ADOPTION=%s\n", record.adoption_id);
    holds(strlen(record.adoption_id) > 10 && said(word), "under the name that the session has in its environment");
    tap(removed_leaf(), "the process was in a leaf of the job");

    agent_lives(true);
    visit(&(struct visit){.phases = {"account"}});
    holds(said(LET_IN) && said("sockets 0\n") && !said("env ROLLCALL_DOUBT"), "the same with an agent");
    tap(records(&record) == 2 && !record.agent_away && removed_leaf(), "and the record says so");
    visit(&(struct visit){.phases = {"open"}});
    holds(said("open 0\n") && said("sockets 0\n") && said("env SLURM_JOB_ID=41\n"),
          "a session phase in another process decides for itself");
    tap(records(&record) == 3 && record.phase == rollcall_login_v1_Phase_PHASE_OPEN_SESSION && removed_leaf(),
        "and the record says that");
    agent_lives(false);
}

static void moved_out_between_the_phases(void)
{
    rollcall_login_v1_UserJob closing = {
        .job_id = 41, .state = rollcall_login_v1_JobState_JOB_STATE_CLOSING, .started_at_ns = 1};
    struct fake_answer refusal = {.manner = FAKE_REPLY,
                                  .reply = {.outcome = rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_DENIED,
                                            .message = "not now",
                                            .reason = "adopt-failure"}};
    struct fake_answer silence = {.manner = FAKE_SILENT};
    struct fake_socket agent;
    char elsewhere[160];
    char user[160];
    char next[168];

    snprintf(elsewhere, sizeof elsewhere, "%s-elsewhere", cgroup_directory);
    must(mkdir(elsewhere, 0755), elsewhere);
    setenv("ELSEWHERE", elsewhere, 1);
    write_all();
    visit(&(struct visit){.phases = {"account", "elsewhere", "open", "cgroup"}});
    holds(said(LET_IN) && said("open 0\n") && said("sockets 0\n"),
          "a process that pam_systemd moved is let in without an agent");
    holds(records(&record) == 1 && said(record.cgroup_path), "it is in the leaf of its one record again");
    tap(removed_leaf(), "which has no other process");
    agent_lives(true);
    fake_socket_open(&agent, login_socket_path, geteuid(), &refusal, 1);
    visit(&(struct visit){.phases = {"account", "elsewhere", "open"}});
    fake_socket_close(&agent);
    holds(said(LET_IN) && !said("open 0\n") && said("sockets 1\n"), "an agent that runs is asked to move it");
    tap(records(&record) == 2 && removed_leaf(), "and the module does not");
    fake_socket_open(&agent, login_socket_path, geteuid(), &silence, 1);
    visit(&(struct visit){.phases = {"account", "elsewhere", "open", "cgroup"}});
    holds(said(LET_IN) && said("open 0\n") && said("sockets 1\n") && said("leaked 0\n")
              && said("log the files decided about user alice, as the agent did not: "),
          "if it does not answer, the user is let in, and the log says so");
    holds(records(&record) == 3 && said(record.cgroup_path) && removed_leaf(), "in the leaf of the one record again");
    visit(&(struct visit){.options = "stale=deny", .phases = {"account", "elsewhere", "open"}});
    fake_socket_close(&agent);
    holds(said(LET_IN) && !said("open 0\n") && said("sockets 1\n"), "with stale=deny it is refused then");
    tap(records(&record) == 4 && removed_leaf(), "and not moved");
    agent_lives(false);
    visit(&(struct visit){.options = "stale=deny", .phases = {"account", "elsewhere", "open"}});
    holds(!said("open 0\n"), "with stale=deny it is not moved back");

    path_of("users/1001", user);
    snprintf(next, sizeof next, "%s.next", user);
    write_user(&closing, 1, 0);
    must(rename(user, next), next);
    write_all();
    setenv("REPLACEMENT", next, 1);
    setenv("REPLACED", user, 1);
    visit(&(struct visit){.phases = {"account", "elsewhere", "replace", "open", "cgroup"}});
    holds(said(LET_IN) && !said("open 0\n") && !said("/session_"), "nor into a job that is closing by then");
    tap(records(&record) == 1 && removed_leaf(), "whose leaf is empty");
    must(rmdir(elsewhere), elsewhere);
}

/* A later account phase that the agent decides: the job of the first one, by the files, counts no more. */
static void account_twice(void)
{
    rollcall_login_v1_UserJob jobs[] = {{.job_id = 41, .state = OPEN, .started_at_ns = 2},
                                        {.job_id = 40, .state = OPEN, .started_at_ns = 1}};
    struct fake_answer answers[] = {{.manner = FAKE_REPLY,
                                     .where_peer_is = true,
                                     .reply = {.outcome = rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ADOPTED,
                                               .job_id = 40,
                                               .reason = "caller-job"}},
                                    {.manner = FAKE_SILENT}};
    struct fake_socket agent;
    char elsewhere[160];
    char user[160];
    char next[168];

    snprintf(elsewhere, sizeof elsewhere, "%s-elsewhere", cgroup_directory);
    must(mkdir(elsewhere, 0755), elsewhere);
    setenv("ELSEWHERE", elsewhere, 1);
    path_of("users/1001", user);
    snprintf(next, sizeof next, "%s.next", user);
    write_all();
    write_user(jobs, 2, 0);
    must(rename(user, next), next);
    write_all();
    setenv("REPLACEMENT", next, 1);
    setenv("REPLACED", user, 1);
    agent_lives(true);
    fake_socket_open(&agent, login_socket_path, geteuid(), answers, 2);
    visit(&(struct visit){.options = "timeout_ms=500",
                          .phases = {"account", "replace", "account", "elsewhere", "open", "cgroup"}});
    fake_socket_close(&agent);
    holds(records(&record) == 1 && said(LET_IN) && said("sockets 2\n") && said("log user alice is in job 40: "),
          "a second account phase is the agent's, after one by the files");
    holds(!said("open 0\n") && !said("/session_") && removed_leaf(),
          "a session that was moved then does not return to the job of the first");
    agent_lives(false);
    must(rmdir(elsewhere), elsewhere);
}

static void no_job(void)
{
    char path[160];

    write_all();
    path_of("users/1001", path);
    unlink(path);
    visit(&(struct visit){.phases = {"account"}});
    holds(said(REFUSED)
              && said("error Access denied by pam_rollcall on n1: you have no active jobs on this node, or one is "
                      "still starting. Help: "
                      "https://hpc.example/ssh\n")
              && said("sockets 0\n"),
          "a user without a job is refused with the site's help text, and no agent is asked");
    tap(records(&record) == 1 && record.outcome == rollcall_login_v1_Outcome_OUTCOME_DENIED
            && strcmp(record.reason, "no-jobs") == 0 && record.cgroup_path[0] == '\0',
        "that is recorded, too");
    visit(&(struct visit){.options = "action_no_jobs=ignore", .phases = {"account", "open"}});
    holds(said(ASIDE_ACCOUNT) && said(ASIDE_SESSION) && said("sockets 0\n"), "or steps aside");
    write_node(false);
    visit(&(struct visit){.phases = {"account"}});
    holds(said(REFUSED) && said("No such file") && said("sockets 1\n")
              && said("on n1: this node's agent cannot decide now, try again. Help: https://hpc.example/ssh\n"),
          "where jobs begin without the agent, it is asked");
    agent_lives(true);
    visit(&(struct visit){.phases = {"account"}});
    holds(said(REFUSED) && said("you have no active jobs") && said("sockets 0\n"), "but not while it runs");
    agent_lives(false);
}

static void refused_by_an_agent(void)
{
    struct fake_answer answer = {.manner = FAKE_REPLY,
                                 .reply = {.outcome = rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_DENIED,
                                           .message = "job 41 is starting, try again",
                                           .reason = "job-starting"}};
    struct fake_socket agent;
    char path[160];

    write_all();
    write_node(false);
    path_of("users/1001", path);
    unlink(path);
    fake_socket_open(&agent, login_socket_path, geteuid(), &answer, 1);
    visit(&(struct visit){.phases = {"account"}});
    fake_socket_close(&agent);
    holds(said(REFUSED) && said("sockets 1\n")
              && said("error Access denied by pam_rollcall on n1: job 41 is starting, try again. Help: "
                      "https://hpc.example/ssh\n"),
          "an agent's refusal ends with the help text, too");
    visit(&(struct visit){.options = "nodename=n2", .phases = {"account"}});
    holds(said(REFUSED) && said("error Access denied by pam_rollcall on n2: ") && !said("Help:"),
          "another node's help text is not shown");
}

static void several_jobs(void)
{
    rollcall_login_v1_UserJob jobs[] = {{.job_id = 41, .state = OPEN, .started_at_ns = 2},
                                        {.job_id = 40, .state = OPEN, .started_at_ns = 1}};
    struct fake_answer silence = {.manner = FAKE_SILENT};
    struct fake_socket agent;

    write_all();
    write_user(jobs, 2, 0);
    visit(&(struct visit){.phases = {"account"}});
    holds(said(LET_IN) && said("env ROLLCALL_REASON=newest-job\n") && said("sockets 0\n") && records(&record) == 1
              && removed_leaf(),
          "of several jobs it is the newest while no agent runs");
    visit(&(struct visit){.tty = "ssh", .phases = {"account", "open"}});
    holds(said("open 0\n") && said("sockets 0\n") && said("info rollcall: this session is in job 41, the newest")
              && records(&record) == 2 && removed_leaf(),
          "the session has a note of that");
    visit(&(struct visit){.options = "action_unknown=deny", .phases = {"account"}});
    holds(said(REFUSED)
              && said("on n1: you have 2 jobs here (40, 41), and it is not known from which you came. Choose one: "
                      "rollcall ssh 40, or "
                      "on this node rollcall switch --next 40. Help: https://hpc.example/ssh\n")
              && said("sockets 0\n"),
          "or none");
    agent_lives(true);
    fake_socket_open(&agent, login_socket_path, geteuid(), &silence, 1);
    visit(&(struct visit){.options = "timeout_ms=50", .phases = {"account"}});
    holds(said(LET_IN) && said("env ROLLCALL_REASON=newest-job\n") && said("env ROLLCALL_DOUBT=no agent answered\n")
              && said("log the files decided about user alice, as the agent did not: ") && said("sockets 1\n")
              && said("leaked 0\n") && records(&record) == 4 && record.agent_away && removed_leaf(),
          "an agent that runs is asked, and the newest is it if it does not answer");
    visit(&(struct visit){.options = "timeout_ms=50 action_unknown=deny", .phases = {"account"}});
    holds(said(REFUSED) && said("you have 2 jobs here (40, 41)") && said("sockets 1\n") && records(&record) == 5,
          "or none");
    visit(&(struct visit){.options = "timeout_ms=50 stale=deny", .phases = {"account"}});
    holds(said(REFUSED) && said("cannot decide now") && said("sockets 1\n") && records(&record) == 5,
          "with stale=deny nothing is decided then");
    fake_socket_close(&agent);
    write_user(jobs, 2, 41);
    visit(&(struct visit){.phases = {"account"}});
    holds(said(LET_IN) && said("env ROLLCALL_REASON=chosen-job\n") && said("sockets 0\n") && records(&record) == 6
              && removed_leaf(),
          "but not about a chosen one");
    agent_lives(false);
    jobs[0].state = SUSPENDED;
    write_user(jobs, 1, 0);
    visit(&(struct visit){.phases = {"account"}});
    holds(said(REFUSED) && said("job 41 is suspended") && said("sockets 0\n") && records(&record) == 7,
          "a suspended job takes nobody");
}

/* An agent that decides on a job and leaves the move to the module, with a second answer if that is asked. */
static struct fake_socket joining_agent(const char *reason, uint64_t job_id)
{
    struct fake_answer answers[] = {{.manner = FAKE_REPLY,
                                     .reply = {.outcome = rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_JOIN,
                                               .job_id = job_id,
                                               .adoption_id = "7-1",
                                               .detail = "the caller on node1 is in no job"}},
                                    {.manner = FAKE_REPLY,
                                     .reply = {.outcome = rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_DENIED,
                                               .message = "moved by the agent",
                                               .reason = "adopt-failure"}}};
    struct fake_socket agent;

    strcpy(answers[0].reply.reason, reason);
    fake_socket_open(&agent, login_socket_path, geteuid(), answers, 2);
    return agent;
}

/* Asked once more, with the agent to move the process. */
static void is_not_joined(const char *reason, uint64_t job_id, const char *what)
{
    struct fake_socket agent = joining_agent(reason, job_id);
    rollcall_loginsocket_v1_LoginRequest first;
    rollcall_loginsocket_v1_LoginRequest second;
    size_t before = records(&record);

    visit(&(struct visit){.phases = {"account"}});
    holds(said(REFUSED) && said("moved by the agent") && said("sockets 2\n") && said("leaked 0\n")
              && records(&record) == before && fake_socket_request(&agent, &first)
              && first.mover == rollcall_loginsocket_v1_Mover_MOVER_MODULE && fake_socket_request(&agent, &second)
              && second.mover == rollcall_loginsocket_v1_Mover_MOVER_AGENT_INSTEAD,
          what);
    fake_socket_close(&agent);
}

static void moves_itself_by_the_agents_decision(void)
{
    rollcall_login_v1_UserJob jobs[] = {{.job_id = 41, .state = OPEN, .started_at_ns = 2},
                                        {.job_id = 40, .state = OPEN, .started_at_ns = 1}};
    rollcall_login_v1_Job job = job_41();
    rollcall_loginsocket_v1_LoginRequest request;
    struct fake_socket agent;

    write_all();
    write_user(jobs, 2, 0);
    agent_lives(true);
    agent = joining_agent("newest-job", 41);
    visit(&(struct visit){.tty = "ssh", .phases = {"account", "open"}});
    holds(said(LET_IN) && said("open 0\n") && said("sockets 1\n") && said("leaked 0\n")
              && said("env ROLLCALL_REASON=newest-job\n") && said("env ROLLCALL_ADOPTION=7-1\n")
              && said("env ROLLCALL_DOUBT=the caller on node1 is in no job\n") && said("env SLURM_NODELIST=n[1-2]\n")
              && said("info rollcall: this session is in job 41, the newest"),
          "an agent decides, and the module moves itself");
    tap(fake_socket_request(&agent, &request) && request.mover == rollcall_loginsocket_v1_Mover_MOVER_MODULE,
        "as it offered to");
    tap(records(&record) == 1 && record.outcome == rollcall_login_v1_Outcome_OUTCOME_ADOPTED && record.job_id == 41
            && strcmp(record.reason, "newest-job") == 0 && strcmp(record.adoption_id, "7-1") == 0 && !record.agent_away
            && record.has_delegated && strcmp(record.delegated.detail, "the caller on node1 is in no job") == 0
            && record.delegated.move_ns > 0 && record.delegated.move_ns <= record.took_ns && removed_leaf(),
        "it is recorded once, with the agent's detail and id");
    visit(&(struct visit){.phases = {"open"}});
    fake_socket_close(&agent);
    holds(said("sockets 1\n"), "a session phase in another process asks");

    is_not_joined("newest-job", 40, "a job without a file is left to the agent");
    is_not_joined("no-jobs", 41, "so is a reason that joins no job");
    jobs[0].state = rollcall_login_v1_JobState_JOB_STATE_CLOSING;
    jobs[1].state = rollcall_login_v1_JobState_JOB_STATE_BEGINNING;
    write_user(jobs, 2, 0);
    is_not_joined("only-job", 41, "so is a job that closes after the decision");
    jobs[0].state = jobs[1].state = OPEN;
    write_user(jobs, 2, 0);
    strcat(job.cgroups[0].directory, "/gone");
    write_job(&job);
    is_not_joined("newest-job", 41, "so is a job whose cgroup is gone");
    agent_lives(false);
}

/* Asked, with nobody there to answer: refused, and nothing moved. */
static void is_asked(const char *options, const char *what)
{
    size_t before = records(&record);

    visit(&(struct visit){.options = options, .phases = {"account"}});
    holds(said(REFUSED) && said("sockets 1\n") && said("leaked 0\n") && records(&record) == before, what);
}

static void the_files_do_not_decide(void)
{
    rollcall_login_v1_Job job = job_41();
    char log[160];
    char user[160];
    char lock[160];

    path_of("log", log);
    path_of("users/1001", user);
    path_of("users/1001.lock", lock);
    write_all();
    is_asked("stale=deny", "stale=deny, and no agent runs");
    must(unlink(lock), lock);
    is_asked("", "there is no lock of the user's");
    write_all();
    is_asked("nodename=n2", "the PAM line is for another node");
    visit(&(struct visit){.options = "nodename=N1", .phases = {"account"}});
    holds(said(LET_IN) && said("sockets 0\n") && records(&record) == 1 && removed_leaf(),
          "the PAM line is for this node");
    write_all();
    must(chmod(user, 0666), user);
    is_asked("", "a user's file that others can write");
    write_all();
    job.ask = rollcall_login_v1_Ask_ASK_USER_NAMESPACE;
    write_job(&job);
    is_asked("", "the job's file says to ask");
    job.ask = rollcall_login_v1_Ask_ASK_ENVIRONMENT;
    write_job(&job);
    agent_lives(true);
    is_asked("", "the environment of the job's tasks is not known yet");
    agent_lives(false);
    visit(&(struct visit){.phases = {"account", "open"}});
    holds(said(LET_IN) && said("open 0\n") && said("sockets 0\n") && records(&record) == 1 && removed_leaf(),
          "it is not known, and no agent lives");
    job = job_41();
    strcat(job.cgroups[0].directory, "/gone");
    write_job(&job);
    is_asked("", "the job's cgroup is gone");
    write_all();
    must(truncate(log, 4 * 1024 * 1024), log);
    visit(&(struct visit){.phases = {"account"}});
    holds(said(REFUSED) && said("sockets 1\n"), "the log is full");
    must(unlink(log), log);
    visit(&(struct visit){.phases = {"account"}});
    holds(said(REFUSED) && said("sockets 1\n"), "there is no log");
    must(symlink("/dev/null", log), log);
    visit(&(struct visit){.phases = {"account"}});
    holds(said(REFUSED) && said("sockets 1\n"), "the log is a symbolic link");
}

static void a_lock_that_the_agent_keeps(void)
{
    struct flock exclusive = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char path[160];
    int fd;

    write_all();
    path_of("users/1001.lock", path);
    fd = open(path, O_RDWR | O_CLOEXEC);
    must(fd, path);
    must(fcntl(fd, F_OFD_SETLK, &exclusive), path);
    is_asked("timeout_ms=50", "the agent keeps the user's lock");
    close(fd);
}

static void containers_and_limits(void)
{
    rollcall_login_v1_Job job = job_41();

    write_all();
    job.rlimits_count = 1;
    job.rlimits[0] = (rollcall_login_v1_ResourceLimit){.resource = 7, .soft = 100, .hard = 200};
    job.namespace_files_count = 1;
    strcpy(job.namespace_files[0], "/proc/self/ns/uts");
    job.namespace_environment_count = 1;
    strcpy(job.namespace_environment[0].name, "TMPDIR");
    strcpy(job.namespace_environment[0].value, "/tmp/x");
    write_job(&job);
    visit(&(struct visit){.phases = {"account", "open"}});
    holds(said(LET_IN) && said("sockets 1\n") && said("leaked 0\n") && records(&record) == 1 && removed_leaf(),
          "a namespace by a symbolic link is not joined: the agent is asked");
    strcpy(job.namespace_files[0], "/etc/hostname");
    write_job(&job);
    visit(&(struct visit){.phases = {"account", "open"}});
    holds(said("sockets 1\n") && said("leaked 0\n") && records(&record) == 2 && removed_leaf(),
          "nor a file that is no namespace");
    visit(&(struct visit){.options = "join_container=0", .phases = {"account", "open", "nofile"}});
    holds(said(LET_IN) && said("open 0\n") && said("sockets 0\n") && said("nofile 100:200\n") && !said("env TMPDIR")
              && records(&record) == 3 && removed_leaf(),
          "outside the container the session has the job's limits alone");
}

int main(int count, char **arguments)
{
    char v2[] = "/sys/fs/cgroup/unified";
    char command[256];
    int fd;

    if (!application_begin(count, arguments))
        return 2;
    if (geteuid() != 0) {
        tap_say("not root: nothing was moved");
        tap(true, "only root moves processes");
        application_end();
        return tap_done();
    }
    fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    must(fd < 0 ? -1 : (int)read(fd, boot_id, 36), "boot id");
    close(fd);
    make_directory("");
    make_directory("users");
    make_directory("jobs");
    snprintf(cgroup, sizeof cgroup, "/rollcall-file-login-%d", (int)getpid());
    snprintf(cgroup_directory, sizeof cgroup_directory, "%s%s", access(v2, F_OK) == 0 ? v2 : "/sys/fs/cgroup", cgroup);
    must(mkdir(cgroup_directory, 0755), cgroup_directory);
    one_job();
    moved_out_between_the_phases();
    account_twice();
    no_job();
    refused_by_an_agent();
    several_jobs();
    moves_itself_by_the_agents_decision();
    the_files_do_not_decide();
    a_lock_that_the_agent_keeps();
    containers_and_limits();
    must(rmdir(cgroup_directory), cgroup_directory);
    snprintf(command, sizeof command, "rm -r %s/login", directory);
    must(system(command) == 0 ? 0 : -1, command);
    application_end();
    return tap_done();
}
