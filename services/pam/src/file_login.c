#include "file_login.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "boottime.h"
#include "decision.h"
#include "login_files.h"
#include "membership.h"
#include "move.h"
#include "namespaces.h"
#include "record.h"
#include "user_lock.h"

/* "/session_" and a number. */
#define LEAF_MAX 32

#define NS_IN_A_TICK 10000000ULL
#define NS_IN_A_SECOND 1000000000LL

/* What is known of this login before it is decided. */
struct facts {
    const struct visit *visit;
    const rollcall_loginsocket_v1_LoginRequest *request;
    char directory[LOGIN_DIRECTORY_MAX];
    uint64_t began_ns;         /* CLOCK_BOOTTIME */
    uint64_t process_start_ns; /* CLOCK_BOOTTIME */
    uint64_t session;
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

static void put_variable(rollcall_loginsocket_v1_LoginReply *reply, const char *name, const char *value)
{
    rollcall_loginsocket_v1_EnvironmentVariable *variable;

    for (pb_size_t i = 0; i < reply->environment_count; i++) {
        if (strcmp(reply->environment[i].name, name) == 0)
            return;
    }
    if (reply->environment_count == sizeof reply->environment / sizeof *reply->environment)
        return;
    variable = &reply->environment[reply->environment_count++];
    snprintf(variable->name, sizeof variable->name, "%s", name);
    snprintf(variable->value, sizeof variable->value, "%s", value);
}

static void put_variables(rollcall_loginsocket_v1_LoginReply *reply, const rollcall_login_v1_Variable *variables,
                          size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_variable(reply, variables[i].name, variables[i].value);
}

/* All that is looked at of a reply: most of its 56 KiB is not written. */
static void begin_reply(rollcall_loginsocket_v1_LoginReply *reply, rollcall_loginsocket_v1_ReplyOutcome outcome,
                        const char *reason)
{
    reply->outcome = outcome;
    reply->message[0] = '\0';
    reply->job_id = 0;
    reply->cgroup_path[0] = '\0';
    reply->cgroup_hierarchy[0] = '\0';
    reply->adoption_id[0] = '\0';
    snprintf(reply->reason, sizeof reply->reason, "%s", reason);
    reply->has_gid = false;
    reply->environment_count = 0;
    reply->namespaces_count = 0;
    reply->rlimits_count = 0;
    reply->offered_jobs_count = 0;
}

/* What a process that is in the job gets of it. */
static void reply_with_job(const rollcall_login_v1_Job *job, const struct place *place, const char *reason,
                           rollcall_loginsocket_v1_LoginReply *reply)
{
    char number[24];

    begin_reply(reply, rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ADOPTED, reason);
    reply->job_id = job->job_id;
    snprintf(reply->cgroup_path, sizeof reply->cgroup_path, "%.511s", place->path); /* shorter: read_job */
    snprintf(reply->cgroup_hierarchy, sizeof reply->cgroup_hierarchy, "%s", place->hierarchy);
    reply->has_gid = job->has_gid;
    reply->gid = job->gid;
    snprintf(number, sizeof number, "%llu", (unsigned long long)job->job_id);
    put_variable(reply, "SLURM_JOB_ID", number);
}

static bool open_namespaces(const rollcall_login_v1_Job *job, rollcall_loginsocket_v1_LoginReply *reply,
                            struct descriptors *descriptors, struct problem *problem)
{
    for (pb_size_t i = 0; i < job->namespace_files_count; i++) {
        int fd = open(job->namespace_files[i], O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

        if (fd >= 0)
            descriptors->fds[descriptors->count++] = fd;
        if (fd < 0 || !namespaces_kind(fd, &reply->namespaces[i])) {
            problem_set(problem, "cannot use the namespace %.160s: %m", job->namespace_files[i]);
            descriptors_close(descriptors);
            return false;
        }
        reply->namespaces_count++;
    }
    return true;
}

/* What the session phase gives: it runs in the process whose children are the session. */
static bool add_session(const struct visit *visit, const rollcall_login_v1_Job *job,
                        rollcall_loginsocket_v1_LoginReply *reply, struct descriptors *descriptors,
                        struct problem *problem)
{
    reply->rlimits_count = job->rlimits_count;
    for (pb_size_t i = 0; i < job->rlimits_count; i++)
        reply->rlimits[i] = (rollcall_loginsocket_v1_SessionRlimit){
            .resource = job->rlimits[i].resource, .soft = job->rlimits[i].soft, .hard = job->rlimits[i].hard};
    if (!visit->options.join_container)
        return true;
    put_variables(reply, job->namespace_environment, job->namespace_environment_count);
    return open_namespaces(job, reply, descriptors, problem);
}

/* An agent would wait for the environment of the job's tasks. Without one a login goes on with what is known. */
static bool is_to_ask(const char *directory, const rollcall_login_v1_Job *job)
{
    if (job->ask == rollcall_login_v1_Ask_ASK_ENVIRONMENT)
        return !login_agent_is_away(directory);
    return job->ask != rollcall_login_v1_Ask_ASK_UNSPECIFIED;
}

static bool read_job(const struct visit *visit, const char *directory, uint64_t job_id, rollcall_login_v1_Job *job,
                     struct problem *problem)
{
    if (login_read_job(directory, visit->uid, job_id, job, problem) != LOGIN_READ)
        return false;
    if (!is_to_ask(directory, job) && job->cgroups_count > 0
        && strlen(job->cgroups[0].path) + LEAF_MAX < sizeof((rollcall_loginsocket_v1_LoginReply *)0)->cgroup_path)
        return true;
    problem_set(problem, "only the agent can move sessions of job %llu", (unsigned long long)job_id);
    return false;
}

static void deny_half_moved(uint64_t job_id, rollcall_loginsocket_v1_LoginReply *reply)
{
    begin_reply(reply, rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_DENIED, "adopt-failure");
    reply->job_id = job_id;
    snprintf(reply->message, sizeof reply->message, "job %llu was entered in part", (unsigned long long)job_id);
}

/* False: the agent is to be asked. */
static bool join(const struct facts *facts, const struct decision *decision, const char *adoption_id,
                 struct file_session *session, rollcall_loginsocket_v1_LoginReply *reply,
                 struct descriptors *descriptors, struct problem *problem)
{
    rollcall_login_v1_Job job;
    struct place place;

    if (!read_job(facts->visit, facts->directory, decision->job_id, &job, problem))
        return false;
    switch (move_into(&job, facts->session, &place, problem)) {
    case MOVE_DONE:
        break;
    case MOVE_NOT_BEGUN:
        return false;
    case MOVE_HALF_DONE:
        tell_log(&facts->visit->teller, LOG_LEVEL_ERROR, "user %s is in a part of job %llu: %s", facts->visit->user,
                 (unsigned long long)job.job_id, problem->text);
        deny_half_moved(job.job_id, reply);
        return true;
    }
    session->job_id = job.job_id;
    session->reason = decision->reason;
    reply_with_job(&job, &place, decision->reason, reply);
    put_variable(reply, "ROLLCALL_REASON", decision->reason);
    put_variable(reply, "ROLLCALL_ADOPTION", adoption_id);
    if (decision->agent_away)
        put_variable(reply, "ROLLCALL_DOUBT", "no agent was running");
    put_variables(reply, job.environment, job.environment_count);
    return facts->request->phase != rollcall_loginsocket_v1_Phase_PHASE_OPEN_SESSION
           || add_session(facts->visit, &job, reply, descriptors, problem);
}

static bool carry_out(const struct facts *facts, const struct decision *decision, const char *adoption_id,
                      struct file_session *session, rollcall_loginsocket_v1_LoginReply *reply,
                      struct descriptors *descriptors, struct problem *problem)
{
    switch (decision->kind) {
    case DECISION_JOIN:
        return join(facts, decision, adoption_id, session, reply, descriptors, problem);
    case DECISION_ALLOW:
        begin_reply(reply, rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ALLOWED, decision->reason);
        break;
    case DECISION_REFUSE:
        begin_reply(reply, rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_DENIED, decision->reason);
        snprintf(reply->message, sizeof reply->message, "%s", decision->message);
        break;
    case DECISION_STEP_ASIDE:
        begin_reply(reply, rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_STEP_ASIDE, decision->reason);
        break;
    case DECISION_ASK:
        problem_set(problem, "%s", decision->reason);
        return false;
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

static bool note(const struct facts *facts, const struct decision *decision, const char *boot_id, int log,
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
                                       .agent_away = decision->agent_away,
                                       .has_options = request->has_options,
                                       .options = request->options,
                                       .phase = request->phase == rollcall_loginsocket_v1_Phase_PHASE_OPEN_SESSION
                                                    ? rollcall_login_v1_Phase_PHASE_OPEN_SESSION
                                                    : rollcall_login_v1_Phase_PHASE_ACCOUNT};

    clock_gettime(CLOCK_REALTIME, &now);
    record.decided_at_ns = now.tv_sec * NS_IN_A_SECOND + now.tv_nsec;
    record.took_ns = boottime_now() - facts->began_ns;
    snprintf(record.boot_id, sizeof record.boot_id, "%s", boot_id);
    snprintf(record.reason, sizeof record.reason, "%s", reply->reason);
    snprintf(record.user, sizeof record.user, "%s", request->user);
    snprintf(record.service, sizeof record.service, "%s", request->service);
    snprintf(record.remote_host, sizeof record.remote_host, "%s", request->remote_host);
    snprintf(record.cgroup_path, sizeof record.cgroup_path, "%s", reply->cgroup_path);
    snprintf(record.cgroup_hierarchy, sizeof record.cgroup_hierarchy, "%s", reply->cgroup_hierarchy);
    snprintf(record.adoption_id, sizeof record.adoption_id, "%s", reply->adoption_id);
    note_connection(request, &record);
    return record_write(log, &record, problem);
}

/* The log first: what could not be recorded is not done. */
static bool carry_out_recorded(const struct facts *facts, const struct login_facts *known,
                               const struct decision *decision, struct file_session *session,
                               rollcall_loginsocket_v1_LoginReply *reply, struct descriptors *descriptors,
                               struct problem *problem)
{
    char adoption_id[sizeof reply->adoption_id];
    int log = record_open(facts->directory, problem);
    bool done;

    if (log < 0)
        return false;
    name_adoption(known->node.boot_id, facts->session, adoption_id, sizeof adoption_id);
    done = carry_out(facts, decision, adoption_id, session, reply, descriptors, problem);
    if (done) {
        snprintf(reply->adoption_id, sizeof reply->adoption_id, "%s", adoption_id);
        done = note(facts, decision, known->node.boot_id, log, reply, problem);
    }
    close(log);
    if (!done)
        descriptors_close(descriptors);
    return done;
}

static bool decide_locked(const struct facts *facts, bool locked, struct file_session *session,
                          rollcall_loginsocket_v1_LoginReply *reply, struct descriptors *descriptors,
                          struct problem *problem)
{
    const struct options *options = &facts->visit->options;
    struct login_facts known;
    struct connection connection;
    struct decision decision;
    bool has_connection = connection_of(facts->request, &connection);

    if (login_read(facts->directory, facts->visit->uid, &known, problem) != LOGIN_READ)
        return false;
    decision =
        login_decide(&known, has_connection ? &connection : NULL, facts->process_start_ns, boottime_now(), options);
    if (decision.kind == DECISION_ASK) {
        problem_set(problem, "%s", decision.reason);
        return false;
    }
    if (decision.agent_away && options->stale == ACTION_DENY) {
        problem_set(problem, "stale=deny, and no agent is running");
        return false;
    }
    if (decision.kind == DECISION_JOIN && !locked) {
        problem_set(problem, "the user's lock is not available");
        return false;
    }
    return carry_out_recorded(facts, &known, &decision, session, reply, descriptors, problem);
}

bool file_login(const struct visit *visit, const rollcall_loginsocket_v1_LoginRequest *request,
                struct file_session *session, rollcall_loginsocket_v1_LoginReply *reply,
                struct descriptors *descriptors, struct problem *problem)
{
    struct facts facts = {.visit = visit, .request = request, .began_ns = boottime_now()};
    struct problem unlocked = {""};
    bool done;
    int lock;

    descriptors->count = 0;
    session->job_id = 0;
    visit_name_directory(visit, facts.directory, sizeof facts.directory);
    if (!boottime_of_start(BOOTTIME_SELF, &facts.process_start_ns, problem))
        return false;
    facts.session = move_session(getpid(), facts.process_start_ns);
    /* A user who never had a job here has no lock. */
    lock = user_lock(facts.directory, visit->uid, deadline_in(visit->options.timeout_ms), &unlocked);
    done = decide_locked(&facts, lock >= 0, session, reply, descriptors, problem);
    if (lock >= 0)
        close(lock);
    return done;
}

/* Where this process is in its job. */
static bool find_place(const rollcall_login_v1_Job *job, struct place *place, struct problem *problem)
{
    const rollcall_login_v1_JobCgroup *cgroup = &job->cgroups[0];
    size_t above = strlen(cgroup->path);
    char text[MEMBERSHIP_MAX];
    size_t length = 0;
    const char *path;

    if (!membership_read(MEMBERSHIP_SELF, text, problem))
        return false;
    path = membership_path(text, cgroup->hierarchy, &length);
    if (path == NULL || length >= sizeof place->path || length < above || memcmp(path, cgroup->path, above) != 0
        || (length > above && path[above] != '/')) {
        problem_set(problem, "this process is not in %.160s any more", cgroup->path);
        return false;
    }
    snprintf(place->hierarchy, sizeof place->hierarchy, "%s", cgroup->hierarchy);
    memcpy(place->path, path, length);
    place->path[length] = '\0';
    return true;
}

static bool is_open(const rollcall_login_v1_User *user, uint64_t job_id)
{
    for (pb_size_t i = 0; i < user->jobs_count; i++) {
        if (user->jobs[i].job_id == job_id)
            return user->jobs[i].state == rollcall_login_v1_JobState_JOB_STATE_OPEN;
    }
    return false;
}

/* Under the user's lock. */
static bool return_locked(const struct visit *visit, const char *directory, uint64_t job_id, rollcall_login_v1_Job *job,
                          struct place *place, struct problem *problem)
{
    struct login_facts known;
    uint64_t process_start_ns;

    if (login_read(directory, visit->uid, &known, problem) != LOGIN_READ)
        return false;
    if (!known.has_user || !is_open(&known.user, job_id)) {
        problem_set(problem, "job %llu is not open any more", (unsigned long long)job_id);
        return false;
    }
    return read_job(visit, directory, job_id, job, problem)
           && boottime_of_start(BOOTTIME_SELF, &process_start_ns, problem)
           && move_into(job, move_session(getpid(), process_start_ns), place, problem) == MOVE_DONE;
}

/* Moves this process into its job a second time. An agent that runs is asked to do it, so that it knows of the move:
 * then nothing waits for the lock. False, and problem says why. */
static bool return_to_job(const struct visit *visit, const char *directory, uint64_t job_id, rollcall_login_v1_Job *job,
                          struct place *place, struct problem *problem)
{
    struct login_facts known;
    bool done;
    int lock;

    if (login_read(directory, visit->uid, &known, problem) != LOGIN_READ)
        return false;
    if (known.agent_alive || visit->options.stale == ACTION_DENY) {
        problem_set(problem, "this process was moved out of job %llu", (unsigned long long)job_id);
        return false;
    }
    lock = user_lock(directory, visit->uid, deadline_in(visit->options.timeout_ms), problem);
    if (lock < 0)
        return false;
    done = return_locked(visit, directory, job_id, job, place, problem);
    close(lock);
    return done;
}

bool file_login_again(const struct visit *visit, const struct file_session *session,
                      rollcall_loginsocket_v1_LoginReply *reply, struct descriptors *descriptors,
                      struct problem *problem)
{
    char directory[sizeof((struct facts *)0)->directory];
    rollcall_login_v1_Job job;
    struct place place;

    descriptors->count = 0;
    visit_name_directory(visit, directory, sizeof directory);
    if (!read_job(visit, directory, session->job_id, &job, problem))
        return false;
    if (!find_place(&job, &place, problem) && !return_to_job(visit, directory, session->job_id, &job, &place, problem))
        return false;
    reply_with_job(&job, &place, session->reason, reply);
    put_variables(reply, job.environment, job.environment_count);
    return add_session(visit, &job, reply, descriptors, problem);
}
