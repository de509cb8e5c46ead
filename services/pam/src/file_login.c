#include "file_login.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "boottime.h"
#include "decision.h"
#include "file_reply.h"
#include "login_files.h"
#include "membership.h"
#include "move.h"
#include "record.h"
#include "user_lock.h"

/* "/session_" and a number. */
#define LEAF_MAX 32

#define NS_IN_A_TICK 10000000ULL
#define NS_IN_A_SECOND 1000000000LL

/* What is known of this login before it is decided, and the files of the agent. */
struct facts {
    const struct visit *visit;
    const rollcall_loginsocket_v1_LoginRequest *request;
    struct login_files files;
    uint64_t process_start_ns; /* CLOCK_BOOTTIME */
    uint64_t session;
};

/* What a record has of an agent's decision. */
struct delegation {
    char detail[sizeof((rollcall_loginsocket_v1_LoginReply *)0)->detail];
    uint64_t began_ns; /* CLOCK_BOOTTIME */
};

/* What is to be carried out. */
struct order {
    struct decision decision;
    const struct delegation *delegation; /* NULL: the files decided */
    char adoption_id[sizeof((rollcall_loginsocket_v1_LoginReply *)0)->adoption_id];
};

static void copy_address(const pb_byte_t *bytes, size_t length, struct address *address)
{
    address->length = (uint8_t)length;
    memcpy(address->bytes, bytes, length);
}

/* False: the connection is not known. */
static bool connection_of(const rollcall_loginsocket_v1_LoginRequest *request, struct connection *connection)
{
    if (request->local_address.size == 0)
        return false;
    copy_address(request->local_address.bytes, request->local_address.size, &connection->local);
    copy_address(request->remote_address.bytes, request->remote_address.size, &connection->remote);
    connection->local_port = (uint16_t)request->local_port;
    connection->remote_port = (uint16_t)request->remote_port;
    return true;
}

static void write_base36(uint64_t number, char text[14])
{
    char reversed[14];
    size_t digits = 0;

    do
        reversed[digits++] = "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36];
    while ((number /= 36) > 0);
    for (size_t i = 0; i < digits; i++)
        text[i] = reversed[digits - 1 - i];
    text[digits] = '\0';
}

static void name_adoption(const char *boot_id, uint64_t session, char *id, size_t size)
{
    char number[14];

    write_base36(session, number);
    snprintf(id, size, "%.8s-%s", boot_id, number);
}

/* An agent would wait for the environment of the job's tasks. Without one a login goes on with what is known. */
static bool is_to_ask(const struct login_files *files, const rollcall_login_v1_Job *job)
{
    if (job->ask == rollcall_login_v1_Ask_ASK_ENVIRONMENT)
        return !login_agent_is_away(files);
    return job->ask != rollcall_login_v1_Ask_ASK_UNSPECIFIED;
}

static bool read_job(struct login_files *files, uint32_t uid, uint64_t job_id, rollcall_login_v1_Job *job,
                     struct problem *problem)
{
    if (login_read_job(files, uid, job_id, job, problem) != LOGIN_READ)
        return false;
    if (!is_to_ask(files, job) && job->cgroups_count > 0
        && strlen(job->cgroups[0].path) + LEAF_MAX < sizeof((rollcall_loginsocket_v1_LoginReply *)0)->cgroup_path)
        return true;
    return problem_set(problem, "only the agent can move sessions of job %llu", (unsigned long long)job_id);
}

/* Why the job may be another one than the caller's; empty: no reason to doubt. */
static const char *doubt_of(const struct order *order)
{
    if (order->delegation != NULL)
        return order->delegation->detail;
    return order->decision.agent_away ? "no agent answered" : "";
}

/* False: the agent is to be asked. */
static bool join(struct facts *facts, const struct order *order, struct file_session *session,
                 rollcall_loginsocket_v1_LoginReply *reply, struct descriptors *descriptors, struct problem *problem)
{
    const struct decision *decision = &order->decision;
    rollcall_login_v1_Job job;
    struct place place;

    if (!read_job(&facts->files, facts->visit->uid, decision->job_id, &job, problem))
        return false;
    switch (move_into(&job, facts->session, &place, problem)) {
    case MOVE_DONE:
        break;
    case MOVE_NOT_BEGUN:
        return false;
    case MOVE_HALF_DONE:
        tell_log(&facts->visit->teller, LOG_LEVEL_ERROR, "user %s is in a part of job %llu: %s", facts->visit->user,
                 (unsigned long long)job.job_id, problem->text);
        file_reply_deny_half_moved(job.job_id, reply);
        return true;
    }
    session->job_id = job.job_id;
    session->reason = decision->reason;
    file_reply_with_job(&job, &place, decision->reason, reply);
    file_reply_put(reply, "ROLLCALL_REASON", decision->reason);
    file_reply_put(reply, "ROLLCALL_ADOPTION", order->adoption_id);
    if (doubt_of(order)[0] != '\0')
        file_reply_put(reply, "ROLLCALL_DOUBT", doubt_of(order));
    file_reply_put_all(reply, job.environment, job.environment_count);
    return facts->request->phase != rollcall_loginsocket_v1_Phase_PHASE_OPEN_SESSION
           || file_reply_add_session(facts->visit, &job, reply, descriptors, problem);
}

static bool carry_out(struct facts *facts, const struct order *order, struct file_session *session,
                      rollcall_loginsocket_v1_LoginReply *reply, struct descriptors *descriptors,
                      struct problem *problem)
{
    const struct decision *decision = &order->decision;

    switch (decision->kind) {
    case DECISION_JOIN:
        return join(facts, order, session, reply, descriptors, problem);
    case DECISION_ALLOW:
        file_reply_begin(reply, rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ALLOWED, decision->reason);
        break;
    case DECISION_REFUSE:
        file_reply_begin(reply, rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_DENIED, decision->reason);
        snprintf(reply->message, sizeof reply->message, "%s", decision->message);
        break;
    case DECISION_STEP_ASIDE:
        file_reply_begin(reply, rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_STEP_ASIDE, decision->reason);
        break;
    case DECISION_ASK:
        return problem_set(problem, "%s", decision->reason);
    }
    return true;
}

static rollcall_login_v1_Outcome outcome_of(rollcall_loginsocket_v1_ReplyOutcome outcome)
{
    switch (outcome) {
    case rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ADOPTED:
        return rollcall_login_v1_Outcome_OUTCOME_ADOPTED;
    case rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ALLOWED:
        return rollcall_login_v1_Outcome_OUTCOME_ALLOWED;
    case rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_STEP_ASIDE:
        return rollcall_login_v1_Outcome_OUTCOME_STEP_ASIDE;
    case rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_DENIED:
    case rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_FAILED:
    case rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_CHOOSE:
    case rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_JOIN:
    case rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_UNSPECIFIED:
        break;
    }
    return rollcall_login_v1_Outcome_OUTCOME_DENIED;
}

static void note_connection(const rollcall_loginsocket_v1_LoginRequest *request, rollcall_login_v1_Record *record)
{
    struct connection connection;
    rollcall_login_v1_Connection *ends = &record->connection;

    record->has_connection = connection_of(request, &connection);
    if (!record->has_connection) {
        snprintf(record->connection_problem, sizeof record->connection_problem, "%s", request->connection_problem);
        return;
    }
    ends->local_address.size = connection.local.length;
    memcpy(ends->local_address.bytes, connection.local.bytes, connection.local.length);
    ends->local_port = connection.local_port;
    ends->remote_address.size = connection.remote.length;
    memcpy(ends->remote_address.bytes, connection.remote.bytes, connection.remote.length);
    ends->remote_port = connection.remote_port;
}

static void note_delegation(const struct delegation *delegation, rollcall_login_v1_Record *record)
{
    record->has_delegated = delegation != NULL;
    if (delegation == NULL)
        return;
    record->delegated.move_ns = boottime_now() - delegation->began_ns;
    snprintf(record->delegated.detail, sizeof record->delegated.detail, "%s", delegation->detail);
}

static bool note(const struct facts *facts, const struct order *order, int log,
                 const rollcall_loginsocket_v1_LoginReply *reply, struct problem *problem)
{
    const rollcall_loginsocket_v1_LoginRequest *request = facts->request;
    struct timespec now;
    rollcall_login_v1_Record record = {.version = LOGIN_VERSION,
                                       .outcome = outcome_of(reply->outcome),
                                       .job_id = reply->job_id,
                                       .uid = request->uid,
                                       .pid = (uint32_t)getpid(),
                                       .process_start = facts->process_start_ns / NS_IN_A_TICK,
                                       .agent_away = order->decision.agent_away,
                                       .has_options = request->has_options,
                                       .options = request->options,
                                       .phase = request->phase == rollcall_loginsocket_v1_Phase_PHASE_OPEN_SESSION
                                                    ? rollcall_login_v1_Phase_PHASE_OPEN_SESSION
                                                    : rollcall_login_v1_Phase_PHASE_ACCOUNT};

    clock_gettime(CLOCK_REALTIME, &now);
    record.decided_at_ns = now.tv_sec * NS_IN_A_SECOND + now.tv_nsec;
    record.took_ns = boottime_now() - facts->visit->began_ns;
    snprintf(record.boot_id, sizeof record.boot_id, "%s", facts->files.boot_id);
    snprintf(record.reason, sizeof record.reason, "%s", reply->reason);
    snprintf(record.user, sizeof record.user, "%s", request->user);
    snprintf(record.service, sizeof record.service, "%s", request->service);
    snprintf(record.remote_host, sizeof record.remote_host, "%s", request->remote_host);
    snprintf(record.cgroup_path, sizeof record.cgroup_path, "%s", reply->cgroup_path);
    snprintf(record.cgroup_hierarchy, sizeof record.cgroup_hierarchy, "%s", reply->cgroup_hierarchy);
    snprintf(record.adoption_id, sizeof record.adoption_id, "%s", reply->adoption_id);
    note_connection(request, &record);
    note_delegation(order->delegation, &record);
    return record_write(facts->files.directory, log, &record, problem);
}

/* The log first: what could not be recorded is not done. */
static bool carry_out_recorded(struct facts *facts, const struct order *order, struct file_session *session,
                               rollcall_loginsocket_v1_LoginReply *reply, struct descriptors *descriptors,
                               struct problem *problem)
{
    int log = record_open(facts->files.directory, problem);
    bool done;

    if (log < 0)
        return false;
    done = carry_out(facts, order, session, reply, descriptors, problem);
    if (done) {
        snprintf(reply->adoption_id, sizeof reply->adoption_id, "%s", order->adoption_id);
        done = note(facts, order, log, reply, problem);
    }
    close(log);
    if (!done)
        descriptors_close(descriptors);
    return done;
}

static enum file_answer decide_locked(struct facts *facts, bool locked, bool asked, struct file_session *session,
                                      rollcall_loginsocket_v1_LoginReply *reply, struct descriptors *descriptors,
                                      struct problem *problem)
{
    const struct options *options = &facts->visit->options;
    struct login_facts known;
    struct connection connection;
    struct order order = {.delegation = NULL};
    bool has_connection = connection_of(facts->request, &connection);

    if (login_read(&facts->files, facts->visit->uid, &known, problem) != LOGIN_READ)
        return FILE_UNUSABLE;
    known.agent_alive = known.agent_alive && !asked;
    order.decision =
        login_decide(&known, has_connection ? &connection : NULL, facts->process_start_ns, boottime_now(), options);
    if (order.decision.kind == DECISION_ASK) {
        problem_set(problem, "%s", order.decision.reason);
        return FILE_ASKS;
    }
    if (order.decision.agent_away && options->stale == ACTION_DENY) {
        problem_set(problem, "stale=deny, and no agent answers");
        return FILE_UNUSABLE;
    }
    if (order.decision.kind == DECISION_JOIN && !locked) {
        problem_set(problem, "the user's lock is not available");
        return FILE_UNUSABLE;
    }
    name_adoption(facts->files.boot_id, facts->session, order.adoption_id, sizeof order.adoption_id);
    return carry_out_recorded(facts, &order, session, reply, descriptors, problem) ? FILE_DECIDED : FILE_UNUSABLE;
}

static bool open_files(const struct visit *visit, struct login_files *files, struct problem *problem)
{
    char directory[LOGIN_DIRECTORY_MAX];

    visit_name_directory(visit, directory, sizeof directory);
    return login_open(files, directory, problem) == LOGIN_READ;
}

/* True: the files are to be closed. */
static bool facts_of(const struct visit *visit, const rollcall_loginsocket_v1_LoginRequest *request,
                     struct facts *facts, struct problem *problem)
{
    facts->visit = visit;
    facts->request = request;
    if (!boottime_of_start(BOOTTIME_SELF, &facts->process_start_ns, problem))
        return false;
    facts->session = move_session(getpid(), facts->process_start_ns);
    return open_files(visit, &facts->files, problem);
}

enum file_answer file_login(const struct visit *visit, const rollcall_loginsocket_v1_LoginRequest *request, bool asked,
                            struct file_session *session, rollcall_loginsocket_v1_LoginReply *reply,
                            struct descriptors *descriptors, struct problem *problem)
{
    struct facts facts;
    struct problem unlocked = {""};
    enum file_answer answer;
    int lock;

    descriptors->count = 0;
    session->job_id = 0;
    if (!facts_of(visit, request, &facts, problem))
        return FILE_UNUSABLE;
    /* A user who never had a job here has no lock. */
    lock = user_lock(facts.files.directory, visit->uid, deadline_in(visit->options.timeout_ms), &unlocked);
    answer = decide_locked(&facts, lock >= 0, asked, session, reply, descriptors, problem);
    if (lock >= 0)
        close(lock);
    login_close(&facts.files);
    return answer;
}

static bool is_open(const rollcall_login_v1_User *user, uint64_t job_id)
{
    for (pb_size_t i = 0; i < user->jobs_count; i++) {
        if (user->jobs[i].job_id == job_id)
            return user->jobs[i].state == rollcall_login_v1_JobState_JOB_STATE_OPEN;
    }
    return false;
}

/* Whether the files show the job as open, under the user's lock: what an agent said before may be over. */
static bool read_open(struct login_files *files, uint32_t uid, uint64_t job_id, struct problem *problem)
{
    struct login_facts known;

    if (login_read(files, uid, &known, problem) != LOGIN_READ)
        return false;
    if (known.has_user && is_open(&known.user, job_id))
        return true;
    return problem_set(problem, "job %llu is not open any more", (unsigned long long)job_id);
}

static bool join_locked(struct facts *facts, const struct order *order, struct deadline deadline,
                        struct file_session *session, rollcall_loginsocket_v1_LoginReply *reply,
                        struct descriptors *descriptors, struct problem *problem)
{
    uint32_t uid = facts->visit->uid;
    int lock = user_lock(facts->files.directory, uid, deadline, problem);
    bool done;

    if (lock < 0)
        return false;
    done = read_open(&facts->files, uid, order->decision.job_id, problem)
           && carry_out_recorded(facts, order, session, reply, descriptors, problem);
    close(lock);
    return done;
}

bool file_login_join(const struct visit *visit, const rollcall_loginsocket_v1_LoginRequest *request,
                     struct deadline deadline, struct file_session *session, rollcall_loginsocket_v1_LoginReply *reply,
                     struct descriptors *descriptors, struct problem *problem)
{
    struct delegation delegation = {.began_ns = boottime_now()};
    struct order order = {
        .decision = {.kind = DECISION_JOIN, .job_id = reply->job_id, .reason = decision_reason_to_join(reply->reason)},
        .delegation = &delegation};
    struct facts facts;
    bool done;

    session->job_id = 0;
    if (order.decision.reason == NULL)
        return problem_set(problem, "the agent's reason to join a job is unknown: %s", reply->reason);
    snprintf(order.adoption_id, sizeof order.adoption_id, "%s", reply->adoption_id);
    snprintf(delegation.detail, sizeof delegation.detail, "%s", reply->detail);
    if (!facts_of(visit, request, &facts, problem))
        return false;
    done = join_locked(&facts, &order, deadline, session, reply, descriptors, problem);
    login_close(&facts.files);
    return done;
}

/* Under the user's lock. */
static bool return_locked(struct login_files *files, uint32_t uid, uint64_t job_id, rollcall_login_v1_Job *job,
                          struct place *place, struct problem *problem)
{
    uint64_t process_start_ns;

    return read_open(files, uid, job_id, problem) && read_job(files, uid, job_id, job, problem)
           && boottime_of_start(BOOTTIME_SELF, &process_start_ns, problem)
           && move_again(job, move_session(getpid(), process_start_ns), place, problem) == MOVE_DONE;
}

/* Moves this process into its job a second time. If it has left the job altogether, an agent that runs is asked first
 * to do it, so that it knows of the move: then nothing waits for the lock. False, and problem says why. */
static bool return_to_job(const struct visit *visit, struct login_files *files, bool asked, enum presence presence,
                          uint64_t job_id, rollcall_login_v1_Job *job, struct place *place, struct problem *problem)
{
    bool done;
    int lock;

    if (asked || login_agent_is_away(files) ? visit->options.stale == ACTION_DENY : presence == ABSENT)
        return problem_set(problem, "this process was moved out of job %llu", (unsigned long long)job_id);
    lock = user_lock(files->directory, visit->uid, deadline_in(visit->options.timeout_ms), problem);
    if (lock < 0)
        return false;
    done = return_locked(files, visit->uid, job_id, job, place, problem);
    close(lock);
    return done;
}

/* The job and where this process is in it, once it is there. */
static bool stay_in_job(const struct visit *visit, uint64_t job_id, bool asked, rollcall_login_v1_Job *job,
                        struct place *place, struct problem *problem)
{
    struct login_files files;
    bool done;

    if (!open_files(visit, &files, problem))
        return false;
    done = read_job(&files, visit->uid, job_id, job, problem);
    if (done) {
        enum presence presence = move_presence(job, place, problem);

        done = presence == PRESENT_WHOLLY || return_to_job(visit, &files, asked, presence, job_id, job, place, problem);
    }
    login_close(&files);
    return done;
}

bool file_login_again(const struct visit *visit, const struct file_session *session, bool asked,
                      rollcall_loginsocket_v1_LoginReply *reply, struct descriptors *descriptors,
                      struct problem *problem)
{
    rollcall_login_v1_Job job;
    struct place place;

    descriptors->count = 0;
    if (!stay_in_job(visit, session->job_id, asked, &job, &place, problem))
        return false;
    file_reply_with_job(&job, &place, session->reason, reply);
    file_reply_put_all(reply, job.environment, job.environment_count);
    return file_reply_add_session(visit, &job, reply, descriptors, problem);
}
