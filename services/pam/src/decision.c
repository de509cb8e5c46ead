#include "decision.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Of a refusal's text, which has to fit one line and LoginReply.message: a job's number has ten digits at most. */
#define NAMED_JOBS_MAX 6

#define REASON_ONLY "only-job"
#define REASON_CHOSEN "chosen-job"
#define REASON_CALLER "caller-job"

typedef rollcall_login_v1_UserJob user_job;
typedef rollcall_login_v1_PendingCaller pending_caller;

static struct decision ask(const char *why)
{
    return (struct decision){.kind = DECISION_ASK, .reason = why};
}

static struct decision without_job(enum decision_kind kind, const char *reason, const char *message)
{
    struct decision decision = {.kind = kind, .reason = reason};

    snprintf(decision.message, sizeof decision.message, "%s", message);
    return decision;
}

static const char *words_of(rollcall_login_v1_Ask why)
{
    switch (why) {
    case rollcall_login_v1_Ask_ASK_AUDIT_ONLY:
        return "audit-only";
    case rollcall_login_v1_Ask_ASK_TOO_MANY_JOBS:
        return "too many jobs";
    case rollcall_login_v1_Ask_ASK_USER_NAMESPACE:
        return "user namespace";
    case rollcall_login_v1_Ask_ASK_OUT_OF_BOUNDS:
        return "out of bounds";
    case rollcall_login_v1_Ask_ASK_JOBS_UNKNOWN:
        return "jobs unknown";
    case rollcall_login_v1_Ask_ASK_ENVIRONMENT:
        return "environment unknown";
    case rollcall_login_v1_Ask_ASK_UNSPECIFIED:
        break;
    }
    return "the reason is unknown"; /* of a newer agent */
}

/* Suspended jobs are candidates: a session that belongs there is refused, not sent elsewhere. */
static bool takes_sessions(const user_job *job)
{
    return job->state == rollcall_login_v1_JobState_JOB_STATE_OPEN
           || job->state == rollcall_login_v1_JobState_JOB_STATE_SUSPENDED;
}

/* As Job.OLDEST_FIRST: by start, then by id. */
static bool newer(const user_job *one, const user_job *other)
{
    if (one->started_at_ns != other->started_at_ns)
        return one->started_at_ns > other->started_at_ns;
    return one->job_id > other->job_id;
}

struct candidates {
    size_t count;
    const user_job *newest;
    bool beginning; /* a job that is no candidate yet */
    bool unknown;   /* a job in a state that is not known here */
};

static struct candidates candidates_of(const rollcall_login_v1_User *user)
{
    struct candidates found = {0};

    for (pb_size_t i = 0; i < user->jobs_count; i++) {
        const user_job *job = &user->jobs[i];

        switch (job->state) {
        case rollcall_login_v1_JobState_JOB_STATE_OPEN:
        case rollcall_login_v1_JobState_JOB_STATE_SUSPENDED:
            found.count++;
            if (found.newest == NULL || newer(job, found.newest))
                found.newest = job;
            break;
        case rollcall_login_v1_JobState_JOB_STATE_BEGINNING:
            found.beginning = true;
            break;
        case rollcall_login_v1_JobState_JOB_STATE_CLOSING:
            break;
        case rollcall_login_v1_JobState_JOB_STATE_UNSPECIFIED:
        default:
            found.unknown = true;
        }
    }
    return found;
}

/* NULL: it is no candidate, or named twice. */
static const user_job *candidate(const rollcall_login_v1_User *user, uint64_t job_id)
{
    const user_job *found = NULL;

    for (pb_size_t i = 0; i < user->jobs_count; i++) {
        if (user->jobs[i].job_id != job_id || !takes_sessions(&user->jobs[i]))
            continue;
        if (found != NULL)
            return NULL;
        found = &user->jobs[i];
    }
    return found;
}

static struct decision into(const user_job *job, const char *reason)
{
    struct decision decision = {.kind = DECISION_JOIN, .job_id = job->job_id, .reason = reason};

    if (job->job_id == 0)
        return ask("a job without an id");
    if (job->ask != rollcall_login_v1_Ask_ASK_UNSPECIFIED)
        return ask(words_of(job->ask));
    if (job->state != rollcall_login_v1_JobState_JOB_STATE_SUSPENDED)
        return decision;
    decision.kind = DECISION_REFUSE;
    decision.reason = "job-suspended";
    snprintf(decision.message, sizeof decision.message, "job %llu is suspended", (unsigned long long)job->job_id);
    return decision;
}

/* No job is a decision only if none can have begun unseen. */
static struct decision no_jobs(const struct login_facts *facts, const struct options *options)
{
    if (!facts->agent_alive && !facts->node.knows_all_jobs)
        return ask("no job is known, but jobs may have started since the agent stopped");
    if (options->action_no_jobs == ACTION_IGNORE)
        return without_job(DECISION_STEP_ASIDE, "no-jobs", "");
    return without_job(DECISION_REFUSE, "no-jobs", "you have no active jobs on this node, or one is still starting");
}

static bool is_address(const struct address *address, size_t size, const uint8_t *bytes)
{
    return size == address->length && memcmp(bytes, address->bytes, size) == 0;
}

static bool is_of(const pending_caller *caller, const struct connection *connection)
{
    const rollcall_login_v1_Connection *ends = &caller->connection;

    return caller->has_connection && ends->local_port == connection->local_port
           && ends->remote_port == connection->remote_port
           && is_address(&connection->local, ends->local_address.size, ends->local_address.bytes)
           && is_address(&connection->remote, ends->remote_address.size, ends->remote_address.bytes);
}

static bool is_fresh(const pending_caller *caller, uint64_t process_start_ns, uint64_t now_ns)
{
    uint64_t apart = process_start_ns > caller->announced_at_ns ? process_start_ns - caller->announced_at_ns
                                                                : caller->announced_at_ns - process_start_ns;

    return apart <= DECISION_FRESH_NS && now_ns <= caller->valid_until_ns;
}

/* NULL: none, or more than one, of which one must be wrong. */
static const pending_caller *caller_of(const rollcall_login_v1_User *user, const struct connection *connection,
                                       uint64_t process_start_ns, uint64_t now_ns)
{
    const pending_caller *found = NULL;

    for (pb_size_t i = 0; connection != NULL && i < user->callers_count; i++) {
        if (!is_of(&user->callers[i], connection))
            continue;
        if (found != NULL)
            return NULL;
        found = &user->callers[i];
    }
    return found != NULL && is_fresh(found, process_start_ns, now_ns) ? found : NULL;
}

/* The next after `before` in the order of Job.OLDEST_FIRST; NULL before the first and after the last. */
static const user_job *oldest_after(const rollcall_login_v1_User *user, const user_job *before)
{
    const user_job *found = NULL;

    for (pb_size_t i = 0; i < user->jobs_count; i++) {
        const user_job *job = &user->jobs[i];

        if (takes_sessions(job) && (before == NULL || newer(job, before)) && (found == NULL || newer(found, job)))
            found = job;
    }
    return found;
}

static const char *whence(size_t count, bool caller_known)
{
    if (!caller_known)
        return "it is not known from which you came";
    return count == 2 ? "came from neither" : "came from none of them";
}

/* The same text as AdoptPolicy's: the oldest jobs, and how to choose one. */
static void name_jobs(const rollcall_login_v1_User *user, size_t count, bool caller_known, char *text, size_t size)
{
    const user_job *job = NULL;
    uint64_t open = 0;
    size_t length = (size_t)snprintf(text, size, "you have %zu jobs here (", count);

    for (size_t named = 0; named < count && named < NAMED_JOBS_MAX; named++) {
        job = oldest_after(user, job);
        if (job == NULL)
            break;
        if (open == 0 && job->state == rollcall_login_v1_JobState_JOB_STATE_OPEN)
            open = job->job_id;
        length += (size_t)snprintf(text + length, size - length, "%s%llu", named == 0 ? "" : ", ",
                                   (unsigned long long)job->job_id);
    }
    length += (size_t)snprintf(text + length, size - length, "%s), and %s", count > NAMED_JOBS_MAX ? ", ..." : "",
                               whence(count, caller_known));
    if (open != 0)
        snprintf(text + length, size - length,
                 ". Choose one: rollcall ssh %llu, or on this node rollcall switch --next %llu",
                 (unsigned long long)open, (unsigned long long)open);
}

/* Neither the user nor the caller determines which of several jobs. An agent could look for a caller that is not known,
 * and could ask the user. */
static struct decision undetermined(const struct login_facts *facts, const struct candidates *candidates,
                                    bool caller_known, const struct options *options)
{
    const char *unknown = caller_known ? DECISION_ELSEWHERE : "caller-unknown";
    struct decision decision;

    if (facts->agent_alive && (!caller_known || options->choose))
        return ask(caller_known ? "the user can choose" : "several jobs, and no pending caller");
    switch (options->action_unknown) {
    case ACTION_NEWEST:
        return into(candidates->newest, caller_known ? unknown : DECISION_GUESSED);
    case ACTION_ALLOW:
        return without_job(DECISION_ALLOW, unknown, "");
    case ACTION_DENY:
    case ACTION_IGNORE:
        break;
    }
    decision = without_job(DECISION_REFUSE, unknown, "");
    name_jobs(&facts->user, candidates->count, caller_known, decision.message, sizeof decision.message);
    return decision;
}

static struct decision among_several(const struct login_facts *facts, const struct candidates *candidates,
                                     const struct connection *connection, uint64_t process_start_ns, uint64_t now_ns,
                                     const struct options *options)
{
    const rollcall_login_v1_User *user = &facts->user;
    const user_job *job = candidate(user, user->chosen_job_id);
    const pending_caller *caller;

    if (job != NULL)
        return into(job, REASON_CHOSEN);
    caller = caller_of(user, connection, process_start_ns, now_ns);
    job = caller != NULL ? candidate(user, caller->job_id) : NULL;
    if (job != NULL)
        return into(job, caller->chosen ? REASON_CHOSEN : REASON_CALLER);
    return undetermined(facts, candidates, caller != NULL, options);
}

static struct decision decide(const struct login_facts *facts, const struct connection *connection,
                              uint64_t process_start_ns, uint64_t now_ns, const struct options *options)
{
    struct candidates candidates;

    if (options->node_name[0] != '\0' && strcasecmp(options->node_name, facts->node.node) != 0)
        return ask("nodename= is not the name of the node in the agent's files");
    if (facts->node.ask != rollcall_login_v1_Ask_ASK_UNSPECIFIED)
        return ask(words_of(facts->node.ask));
    if (!facts->has_user)
        return no_jobs(facts, options);
    if (facts->user.ask != rollcall_login_v1_Ask_ASK_UNSPECIFIED)
        return ask(words_of(facts->user.ask));
    candidates = candidates_of(&facts->user);
    if (candidates.unknown)
        return ask("the state of a job is unknown");
    if (candidates.count == 0)
        return candidates.beginning ? ask("the job is starting") : no_jobs(facts, options);
    if (candidates.count > 1)
        return among_several(facts, &candidates, connection, process_start_ns, now_ns, options);
    if (facts->user.chosen_job_id == candidates.newest->job_id)
        return into(candidates.newest, REASON_CHOSEN);
    /* With an agent, the caller is looked up for the record. It changes no decision. */
    if (!options->single_job_skip_rpc && facts->agent_alive)
        return ask("single_job_skip_rpc=0");
    return into(candidates.newest, REASON_ONLY);
}

struct decision login_decide(const struct login_facts *facts, const struct connection *connection,
                             uint64_t process_start_ns, uint64_t now_ns, const struct options *options)
{
    struct decision decision = decide(facts, connection, process_start_ns, now_ns, options);

    decision.agent_away = !facts->agent_alive;
    return decision;
}

const char *decision_reason_to_join(const char *word)
{
    static const char *const reasons[] = {REASON_ONLY, REASON_CHOSEN, REASON_CALLER, DECISION_GUESSED,
                                          DECISION_ELSEWHERE};

    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (strcmp(word, reasons[i]) == 0)
            return reasons[i];
    }
    return NULL;
}
