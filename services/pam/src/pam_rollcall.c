/* pam_rollcall: puts a session into the batch job that it belongs to, or refuses it. The hooks of auth, account and
 * session; what they mean is in docs/pam.md. */
#include <poll.h>
#include <security/pam_modules.h>
#include <stdio.h>
#include <string.h>

#include "choice.h"
#include "deadline.h"
#include "decision.h"
#include "early_file.h"
#include "login_socket.h"
#include "environment.h"
#include "file_login.h"
#include "group.h"
#include "membership.h"
#include "namespaces.h"
#include "refusal.h"
#include "rlimits.h"
#include "tell.h"
#include "visit.h"

#define HOOK __attribute__((visibility("default")))

/* Read in the file itself, by strings(1) and by `rollcall doctor`; what(1) knows the mark. */
__attribute__((used)) static const char version[] = "@(#)pam_rollcall " ROLLCALL_VERSION;

/* Nobody's login waits for the end of a session. */
#define CLOSE_MS_MAX 100

/* An agent that closed without an answer is not asked again at once. */
#define GONE_PAUSE_MS 50

/* What the agent said. The reply is 56 KiB, most of it room for variables that are not sent: it is not cleared, since
 * that costs a login 14 pages. Decoding sets each field, and the count of each list; nothing looks at it unless it was
 * decoded. */
struct answer {
    bool is_shown; /* this process has seen itself in the job's cgroup */
    rollcall_loginsocket_v1_LoginReply reply;
    struct descriptors descriptors;
};

/* How this module let the user in, remembered under the PAM handle from one hook to the next. The address is the value:
 * nothing is allocated. */
#define MEMORY "rollcall.let_in"
static char with_job;
static char without_job;
static char step_aside;

/* The job's group, for setcred, as one more than its number, so that no group is NULL. sshd calls setcred in the child
 * that becomes the user's, after initgroups(3). */
#define MEMORY_GROUP "rollcall.group"

static void remember_as(const struct visit *visit, const char *name, void *value)
{
    int code = pam_set_data(visit->teller.pam, name, value, NULL);

    if (code != PAM_SUCCESS)
        tell_log(&visit->teller, LOG_LEVEL_ERROR, "cannot store the decision: %s",
                 pam_strerror(visit->teller.pam, code));
}

static void remember(const struct visit *visit, char *how)
{
    remember_as(visit, MEMORY, how);
}

static void remember_group(const struct visit *visit, const rollcall_loginsocket_v1_LoginReply *reply)
{
    bool named = reply->has_gid && reply->gid != UINT32_MAX;

    remember_as(visit, MEMORY_GROUP, named ? (void *)((uintptr_t)reply->gid + 1) : NULL);
}

/* Of a login that the agent's files decided, for the session phase of the same process: the job's number and the
 * reason, each as an address, so that nothing is allocated. */
#define MEMORY_FILE_JOB "rollcall.file_job"
#define MEMORY_FILE_REASON "rollcall.file_reason"

static void remember_files(const struct visit *visit, const struct file_session *session)
{
    _Static_assert(sizeof(uintptr_t) >= sizeof(uint32_t), "a job's number is below 2^32");

    remember_as(visit, MEMORY_FILE_JOB, (void *)(uintptr_t)session->job_id);
    remember_as(visit, MEMORY_FILE_REASON, (void *)(uintptr_t)session->reason);
}

static bool remembered_files(const struct visit *visit, struct file_session *session)
{
    const void *job = NULL;
    const void *reason = NULL;

    if (pam_get_data(visit->teller.pam, MEMORY_FILE_JOB, &job) != PAM_SUCCESS || job == NULL
        || pam_get_data(visit->teller.pam, MEMORY_FILE_REASON, &reason) != PAM_SUCCESS || reason == NULL)
        return false;
    session->job_id = (uintptr_t)job;
    session->reason = reason;
    return true;
}

/* NULL in a process that decided nothing yet; with keyboard-interactive, sshd runs account in a child of its own. */
static const void *remembered(const struct visit *visit)
{
    const void *how = NULL;

    return pam_get_data(visit->teller.pam, MEMORY, &how) == PAM_SUCCESS ? how : NULL;
}

static int let_in_without_job(const struct visit *visit)
{
    remember(visit, &without_job);
    remember_as(visit, MEMORY_GROUP, NULL);
    return PAM_SUCCESS;
}

/* The one place that returns PAM_IGNORE for a user who was asked about. */
static int stand_aside(const struct visit *visit)
{
    remember(visit, &step_aside);
    return PAM_IGNORE;
}

static int refuse(const struct visit *visit, const char *message)
{
    refusal_show(visit, message);
    return PAM_PERM_DENIED;
}

/* The agent's message, if there is one, follows what the user reads. */
static int apply_generic_failure(const struct visit *visit, const char *why, const char *message)
{
    char text[sizeof((rollcall_loginsocket_v1_LoginReply *)NULL)->message + 64];

    tell_log(&visit->teller, LOG_LEVEL_ERROR, "no decision about user %s: %s", visit->user, why);
    switch (visit->options.action_generic_failure) {
    case ACTION_ALLOW:
        return let_in_without_job(visit);
    case ACTION_IGNORE:
        return stand_aside(visit);
    case ACTION_DENY:
    case ACTION_NEWEST:
        break;
    }
    snprintf(text, sizeof text, "this node's agent cannot decide now, try again%s%s", message[0] != '\0' ? ": " : "",
             message);
    return refuse(visit, text);
}

static int apply_adopt_failure(const struct visit *visit, const rollcall_loginsocket_v1_LoginReply *reply,
                               const char *why)
{
    tell_log(&visit->teller, LOG_LEVEL_ERROR, "user %s is not in job %llu: %s", visit->user,
             (unsigned long long)reply->job_id, why);
    if (visit->options.action_adopt_failure == ACTION_ALLOW)
        return let_in_without_job(visit);
    return refuse(visit, "adoption failure");
}

static enum joining join(const struct visit *visit, const struct answer *answer, struct problem *problem)
{
    static const char *const variables[] = {"KRB5CCNAME", "TMPDIR"};
    struct early_file files[2];
    enum joining joining;

    for (size_t i = 0; i < 2; i++) {
        files[i] = (struct early_file){.pam = visit->teller.pam, .uid = visit->uid, .gid = visit->gid};
        early_file_open(&files[i], pam_getenv(visit->teller.pam, variables[i]), i == 0);
    }
    joining = namespaces_join(&answer->reply, &answer->descriptors, problem);
    for (size_t i = 0; i < 2; i++) {
        struct problem unmoved = {""};

        if (!early_file_move(&files[i], &unmoved))
            tell_log(&visit->teller, LOG_LEVEL_ERROR, "user %s lacks in the job what %s names: %s", visit->user,
                     variables[i], unmoved.text);
    }
    return joining;
}

/* What the session's process gets of the job beside its cgroup: this is the process whose children are the session.
 * Only an adoption failure that left nothing half-made is the site's to allow. */
static int set_up(const struct visit *visit, const struct answer *answer)
{
    struct problem problem = {""};

    if (!rlimits_reset_oom_score(&problem))
        tell_log(&visit->teller, LOG_LEVEL_ERROR, "user %s: %s", visit->user, problem.text);
    if (!rlimits_set(&answer->reply, &problem))
        return apply_adopt_failure(visit, &answer->reply, problem.text);
    if (!visit->options.join_container)
        return PAM_SUCCESS;
    switch (join(visit, answer, &problem)) {
    case JOINING_DONE:
        return PAM_SUCCESS;
    case JOINING_NOT_BEGUN:
        return apply_adopt_failure(visit, &answer->reply, problem.text);
    case JOINING_HALF_DONE:
        break;
    }
    tell_log(&visit->teller, LOG_LEVEL_ERROR, "user %s is in some of the namespaces of job %llu and not in all: %s",
             visit->user, (unsigned long long)answer->reply.job_id, problem.text);
    return refuse(visit, "the job's container cannot be joined");
}

/* Shows on the terminal that the job is the newest, and how to choose another one. Once: only open_session calls this.
 */
static void note_newest(const struct visit *visit, const rollcall_loginsocket_v1_LoginReply *reply)
{
    bool elsewhere = strcmp(reply->reason, DECISION_ELSEWHERE) == 0;

    if (!elsewhere && strcmp(reply->reason, DECISION_GUESSED) != 0)
        return;
    tell_session_note(
        &visit->teller, "rollcall: this session is in job %llu, the newest of your jobs here, because %s.",
        (unsigned long long)reply->job_id, elsewhere ? "you came from none of them" : "the caller's job is not known");
    tell_session_note(&visit->teller, "rollcall: to choose another job of \"rollcall jobs\", run \"rollcall switch "
                                      "--next JOB\" and log in again.");
}

/* An unset list of devices means all of them to a program. */
static void note_left_out(const struct visit *visit, const rollcall_loginsocket_v1_LoginReply *reply)
{
    for (pb_size_t i = 0; i < reply->environment_count; i++) {
        if (strcmp(reply->environment[i].name, "ROLLCALL_LEFT_OUT") == 0)
            tell_session_note(&visit->teller, "rollcall: this session has no %s: the job's value is too long.",
                              reply->environment[i].value);
    }
}

/* The agent's word is not enough: a session outside its job is neither limited nor ended with it. */
static int enter_job(const struct visit *visit, rollcall_loginsocket_v1_Phase phase, const struct answer *answer)
{
    const rollcall_loginsocket_v1_LoginReply *reply = &answer->reply;
    struct problem problem = {""};

    if (!answer->is_shown && !membership_shown(MEMBERSHIP_SELF, reply->cgroup_hierarchy, reply->cgroup_path, &problem))
        return apply_adopt_failure(visit, reply, problem.text);
    if (phase == rollcall_loginsocket_v1_Phase_PHASE_OPEN_SESSION) {
        int code = set_up(visit, answer);

        if (code != PAM_SUCCESS || remembered(visit) == &without_job)
            return code;
    }
    remember(visit, &with_job);
    remember_group(visit, reply);
    environment_put(&visit->teller, reply);
    tell_log(&visit->teller, LOG_LEVEL_INFO, "user %s is in job %llu: %s", visit->user,
             (unsigned long long)reply->job_id, reply->reason);
    tell_note(&visit->teller, reply->message);
    if (phase == rollcall_loginsocket_v1_Phase_PHASE_OPEN_SESSION) {
        note_newest(visit, reply);
        note_left_out(visit, reply);
    }
    return PAM_SUCCESS;
}

static int obey(const struct visit *visit, rollcall_loginsocket_v1_Phase phase, const struct answer *answer)
{
    const rollcall_loginsocket_v1_LoginReply *reply = &answer->reply;

    switch (reply->outcome) {
    case rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ADOPTED:
        return enter_job(visit, phase, answer);
    case rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ALLOWED:
        tell_log(&visit->teller, LOG_LEVEL_INFO, "user %s is admitted without a job: %s", visit->user, reply->reason);
        tell_note(&visit->teller, reply->message);
        return let_in_without_job(visit);
    case rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_DENIED:
        tell_log(&visit->teller, LOG_LEVEL_INFO, "user %s is refused: %s: %s", visit->user, reply->reason,
                 reply->message);
        return refuse(visit, reply->message);
    case rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_STEP_ASIDE:
        tell_log(&visit->teller, LOG_LEVEL_VERBOSE, "stepping aside for user %s: %s", visit->user, reply->reason);
        return stand_aside(visit);
    case rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_FAILED:
        return apply_generic_failure(visit, reply->message[0] != '\0' ? reply->message : "the agent failed",
                                     reply->message);
    case rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_CHOOSE: /* of an agent that was not asked for it */
    case rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_JOIN:
    case rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_UNSPECIFIED:
        break;
    }
    return apply_generic_failure(visit, "the reply has an unknown outcome", "");
}

/* True: the user was asked, and the agent is to be asked once more, with the answer. Nothing of the agent's is held
 * while a person thinks. */
static bool user_is_asked(const struct visit *visit, const rollcall_loginsocket_v1_LoginReply *reply, int *asks_left,
                          rollcall_loginsocket_v1_LoginRequest *request)
{
    if (reply->outcome != rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_CHOOSE || !visit->options.choose
        || request->phase != rollcall_loginsocket_v1_Phase_PHASE_ACCOUNT
        || request->which_choice == rollcall_loginsocket_v1_LoginRequest_none_chosen_tag)
        return false;
    switch (
        choice_ask(&visit->teller, visit->options.action_unknown, reply, asks_left, &request->choice.chosen_job_id)) {
    case CHOICE_MADE:
        request->which_choice = rollcall_loginsocket_v1_LoginRequest_chosen_job_id_tag;
        return true;
    case CHOICE_DECLINED:
    case CHOICE_IMPOSSIBLE:
        break;
    }
    request->which_choice = rollcall_loginsocket_v1_LoginRequest_none_chosen_tag;
    request->choice.none_chosen = true;
    return true;
}

/* Of a reply that leaves the move to this process. False: the agent is to be asked for it. */
static bool is_joined(const struct visit *visit, struct deadline deadline,
                      const rollcall_loginsocket_v1_LoginRequest *request, struct answer *answer)
{
    struct file_session session;
    struct problem problem = {""};

    if (!file_login_join(visit, request, deadline, &session, &answer->reply, &answer->descriptors, &problem)) {
        tell_log(&visit->teller, LOG_LEVEL_DEBUG, "the agent is asked to move this process: %s", problem.text);
        return false;
    }
    if (session.job_id != 0)
        remember_files(visit, &session);
    answer->is_shown = true;
    return true;
}

/* True: the agent is to be asked once more, for what is in the request now. */
static bool is_to_ask_again(const struct visit *visit, struct deadline deadline, struct answer *answer, int *asks_left,
                            rollcall_loginsocket_v1_LoginRequest *request)
{
    if (answer->reply.outcome != rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_JOIN
        || request->mover != rollcall_loginsocket_v1_Mover_MOVER_MODULE)
        return user_is_asked(visit, &answer->reply, asks_left, request);
    if (is_joined(visit, deadline, request, answer))
        return false;
    request->mover = rollcall_loginsocket_v1_Mover_MOVER_AGENT_INSTEAD;
    return true;
}

/* Asks an agent until it answers or its time is over; an agent that ended meanwhile may be another one now. */
static bool ask(const struct visit *visit, struct deadline *deadline, rollcall_loginsocket_v1_LoginRequest *request,
                struct answer *answer, struct problem *problem)
{
    const struct options *options = &visit->options;
    struct deadline start = deadline_in(options->start_wait_ms);

    for (;;) {
        int login_socket = login_socket_connect(options->socket_path, start, options->timeout_ms, deadline, problem);

        switch (login_socket_ask(login_socket, options->socket_path, *deadline, request, &answer->reply,
                                 &answer->descriptors, problem)) {
        case LOGIN_SOCKET_ANSWERED:
            return true;
        case LOGIN_SOCKET_GONE:
            if (deadline_left(start) <= GONE_PAUSE_MS)
                return false;
            poll(NULL, 0, GONE_PAUSE_MS);
            break;
        case LOGIN_SOCKET_FAILED:
            return false;
        }
    }
}

/* Whether the files decide now that the agent, which would have left the move to this process, did not answer; or a
 * session that they put into a job is back there. */
static bool is_answered_without_agent(const struct visit *visit, const rollcall_loginsocket_v1_LoginRequest *request,
                                      struct answer *answer, struct problem *problem)
{
    struct file_session session;

    if (request->phase != rollcall_loginsocket_v1_Phase_PHASE_ACCOUNT)
        return remembered(visit) == &with_job && remembered_files(visit, &session)
               && file_login_again(visit, &session, true, &answer->reply, &answer->descriptors, problem);
    if (request->mover != rollcall_loginsocket_v1_Mover_MOVER_MODULE
        || file_login(visit, request, true, &session, &answer->reply, &answer->descriptors, problem) != FILE_DECIDED)
        return false;
    if (session.job_id != 0)
        remember_files(visit, &session);
    return true;
}

static int ask_and_obey(const struct visit *visit, rollcall_loginsocket_v1_LoginRequest *request)
{
    struct deadline deadline;
    struct answer answer;
    struct problem problem = {""};
    int asks_left = CHOICE_ASKS_MAX;
    bool answered;
    int code;

    answer.is_shown = false;
    while ((answered = ask(visit, &deadline, request, &answer, &problem))
           && is_to_ask_again(visit, deadline, &answer, &asks_left, request))
        descriptors_close(&answer.descriptors);
    if (!answered) {
        answer.is_shown = true;
        if (!is_answered_without_agent(visit, request, &answer, &(struct problem){""}))
            return apply_generic_failure(visit, problem.text, "");
        tell_log(&visit->teller, LOG_LEVEL_ERROR, "the files decided about user %s, as the agent did not: %s",
                 visit->user, problem.text);
    }
    code = obey(visit, request->phase, &answer);
    descriptors_close(&answer.descriptors);
    return code;
}

/* Whether the agent's files answer. A process that the agent put into its job goes on with the agent. */
static bool is_answered_by_files(const struct visit *visit, rollcall_loginsocket_v1_LoginRequest *request,
                                 struct answer *answer, struct problem *problem)
{
    bool account = request->phase == rollcall_loginsocket_v1_Phase_PHASE_ACCOUNT;
    struct file_session session;

    problem_set(problem, "the agent decided the account phase");
    if (!account && remembered(visit) == &with_job)
        return remembered_files(visit, &session)
               && file_login_again(visit, &session, false, &answer->reply, &answer->descriptors, problem);
    switch (file_login(visit, request, false, &session, &answer->reply, &answer->descriptors, problem)) {
    case FILE_DECIDED:
        if (session.job_id != 0)
            remember_files(visit, &session);
        return true;
    case FILE_ASKS:
        if (account)
            request->mover = rollcall_loginsocket_v1_Mover_MOVER_MODULE;
        break;
    case FILE_UNUSABLE:
        break;
    }
    return false;
}

static int answer_and_obey(const struct visit *visit, rollcall_loginsocket_v1_Phase phase)
{
    rollcall_loginsocket_v1_LoginRequest request;
    struct answer answer;
    struct problem problem = {""};
    int code;

    visit_describe(visit, phase, &request);
    if (phase == rollcall_loginsocket_v1_Phase_PHASE_ACCOUNT)
        remember_files(visit, &(struct file_session){0}); /* an earlier account phase counts no more */
    if (!is_answered_by_files(visit, &request, &answer, &problem)) {
        tell_log(&visit->teller, LOG_LEVEL_DEBUG, "the agent is asked: %s", problem.text);
        return ask_and_obey(visit, &request);
    }
    answer.is_shown = true;
    code = obey(visit, phase, &answer);
    descriptors_close(&answer.descriptors);
    return code;
}

/* Of account and of open_session, with what is left to them once the visit is known. */
static int begin(struct visit *visit, pam_handle_t *pam, int flags, int count, const char **words)
{
    int code = PAM_SERVICE_ERR;

    switch (visit_begin(visit, pam, flags, count, words, &code)) {
    case STANDING_EXEMPT:
        return PAM_IGNORE;
    case STANDING_BROKEN:
        refusal_show(visit, code == PAM_SERVICE_ERR ? "its configuration on this node is wrong"
                                                    : "the user cannot be looked up");
        return code;
    case STANDING_SUBJECT:
        break;
    }
    return PAM_SUCCESS;
}

HOOK int pam_sm_acct_mgmt(pam_handle_t *pam, int flags, int count, const char **words)
{
    struct visit visit;
    int code = begin(&visit, pam, flags, count, words);

    return code == PAM_SUCCESS ? answer_and_obey(&visit, rollcall_loginsocket_v1_Phase_PHASE_ACCOUNT) : code;
}

HOOK int pam_sm_open_session(pam_handle_t *pam, int flags, int count, const char **words)
{
    struct visit visit;
    int code = begin(&visit, pam, flags, count, words);

    if (code != PAM_SUCCESS)
        return code;
    if (remembered(&visit) == &without_job)
        return PAM_SUCCESS;
    if (remembered(&visit) == &step_aside)
        return PAM_IGNORE;
    return answer_and_obey(&visit, rollcall_loginsocket_v1_Phase_PHASE_OPEN_SESSION);
}

HOOK int pam_sm_close_session(pam_handle_t *pam, int flags, int count, const char **words)
{
    struct visit visit;
    rollcall_loginsocket_v1_LoginRequest request;
    rollcall_loginsocket_v1_LoginReply reply;
    struct descriptors none;
    struct problem problem = {""};
    struct deadline deadline;
    int patience_ms;
    int login_socket;
    int code;

    if (visit_begin(&visit, pam, flags, count, words, &code) == STANDING_EXEMPT)
        return PAM_IGNORE;
    if (remembered(&visit) != &with_job)
        return PAM_SUCCESS;
    patience_ms = visit.options.timeout_ms < CLOSE_MS_MAX ? visit.options.timeout_ms : CLOSE_MS_MAX;
    login_socket = login_socket_connect(visit.options.socket_path, deadline_in(0), patience_ms, &deadline, &problem);
    visit_describe(&visit, rollcall_loginsocket_v1_Phase_PHASE_CLOSE_SESSION, &request);
    if (login_socket_ask(login_socket, visit.options.socket_path, deadline, &request, &reply, &none, &problem)
        != LOGIN_SOCKET_ANSWERED)
        tell_log(&visit.teller, LOG_LEVEL_ERROR, "the agent could not be notified that user %s left: %s", visit.user,
                 problem.text);
    else
        descriptors_close(&none);
    return PAM_SUCCESS;
}

/* The module says nothing about who somebody is. It is in the auth stack for setcred alone, which libpam runs with that
 * stack. */
HOOK int pam_sm_authenticate(pam_handle_t *pam, int flags, int count, const char **words)
{
    (void)pam;
    (void)flags;
    (void)count;
    (void)words;
    return PAM_IGNORE;
}

/* sshd calls this in the process that is about to become the user's, when initgroups(3) has wiped what was there
 * before; then it sets the primary group from the user's entry, so the job's can only be one of the others. */
HOOK int pam_sm_setcred(pam_handle_t *pam, int flags, int count, const char **words)
{
    struct options options;
    struct problem problem = {""};
    const void *group = NULL;

    if ((flags & PAM_DELETE_CRED) != 0 || pam_get_data(pam, MEMORY_GROUP, &group) != PAM_SUCCESS || group == NULL)
        return PAM_IGNORE;
    if (group_join((gid_t)((uintptr_t)group - 1), &problem))
        return PAM_SUCCESS;
    options_parse(&options, count, words, &(struct problem){""});
    tell_log(&(struct teller){.pam = pam, .log_level = options.log_level}, LOG_LEVEL_ERROR, "the job's group: %s",
             problem.text);
    return PAM_CRED_ERR;
}
