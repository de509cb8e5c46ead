#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decision.h"

#define SECOND 1000000000ULL
#define LINE_MAX_BYTES 65536
#define OPTIONS_MAX 32
#define PROCESS_START (1000 * SECOND)
#define NOW (PROCESS_START + SECOND)

static const struct connection CONNECTION = {
    .local = {.length = 4, .bytes = {10, 77, 0, 2}},
    .local_port = 22,
    .remote = {.length = 4, .bytes = {10, 77, 0, 1}},
    .remote_port = 40001,
};

struct login_case {
    struct login_facts facts;
    bool connection_known;
    const char *options[OPTIONS_MAX];
    int option_count;
};

static const char *after(const char *word, const char *key)
{
    size_t length = strlen(key);

    return strncmp(word, key, length) == 0 ? word + length : NULL;
}

static bool read_state(const char *text, rollcall_login_v1_JobState *state)
{
    static const char *const WORDS[] = {"unspecified", "beginning", "open", "suspended", "closing"};

    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        if (strcmp(text, WORDS[i]) == 0) {
            *state = (rollcall_login_v1_JobState)i;
            return true;
        }
    }
    return false;
}

/* ID/STATE/SECONDS or ID/STATE/SECONDS/ask */
static bool add_job(rollcall_login_v1_User *user, char *text)
{
    rollcall_login_v1_UserJob *job = &user->jobs[user->jobs_count];
    const char *id = strsep(&text, "/");
    const char *state = strsep(&text, "/");
    const char *started = strsep(&text, "/");

    if (started == NULL || user->jobs_count == sizeof user->jobs / sizeof *user->jobs)
        return false;
    job->job_id = strtoull(id, NULL, 10);
    job->started_at_ns = strtoll(started, NULL, 10) * (int64_t)SECOND;
    job->ask = text != NULL ? rollcall_login_v1_Ask_ASK_USER_NAMESPACE : rollcall_login_v1_Ask_ASK_UNSPECIFIED;
    user->jobs_count++;
    return read_state(state, &job->state);
}

/* What of the caller's connection is not the login's, by the word for it. */
static bool make_other(rollcall_login_v1_PendingCaller *caller, const char *what)
{
    rollcall_login_v1_Connection *ends = &caller->connection;

    if (strcmp(what, "") == 0)
        ends->remote_port++;
    else if (strcmp(what, "-local-port") == 0)
        ends->local_port++;
    else if (strcmp(what, "-remote") == 0)
        ends->remote_address.bytes[3]++;
    else if (strcmp(what, "-local") == 0)
        ends->local_address.bytes[3]++;
    else if (strcmp(what, "-length") == 0)
        ends->remote_address.size = ends->local_address.size = 16; /* of IPv6; the bytes are the same */
    else if (strcmp(what, "-none") == 0)
        caller->has_connection = false;
    else
        return false;
    return true;
}

/* ID/in or ID/wish, and what is wrong with it: early, late, over, other and what make_other knows */
static bool add_caller(rollcall_login_v1_User *user, char *text)
{
    rollcall_login_v1_PendingCaller *caller = &user->callers[user->callers_count];
    const char *id = strsep(&text, "/");
    const char *how = strsep(&text, "/");
    const char *wrong = text != NULL ? text : "";

    if (how == NULL || user->callers_count == sizeof user->callers / sizeof *user->callers)
        return false;
    *caller = (rollcall_login_v1_PendingCaller){
        .has_connection = true,
        .connection = {.local_address = {4, {10, 77, 0, 2}},
                       .local_port = 22,
                       .remote_address = {4, {10, 77, 0, 1}},
                       .remote_port = 40001},
        .job_id = strtoull(id, NULL, 10),
        .chosen = strcmp(how, "wish") == 0,
        .announced_at_ns = PROCESS_START - 2 * SECOND,
        .valid_until_ns = strcmp(wrong, "over") == 0 ? NOW - 1 : NOW,
    };
    if (strcmp(wrong, "early") == 0)
        caller->announced_at_ns--;
    else if (strcmp(wrong, "late") == 0)
        caller->announced_at_ns = PROCESS_START + 2 * SECOND + 1;
    user->callers_count++;
    return after(wrong, "other") == NULL || make_other(caller, after(wrong, "other"));
}

/* A word that is none of these is an option of the PAM line. */
static bool read_word(struct login_case *login, char *word)
{
    rollcall_login_v1_User *user = &login->facts.user;
    char *value = strchr(word, '=');

    if (value == NULL)
        return false;
    value++;
    if (after(word, "job=") != NULL) {
        login->facts.has_user = true;
        return add_job(user, value);
    }
    if (after(word, "caller=") != NULL)
        return add_caller(user, value);
    if (after(word, "chosen=") != NULL)
        user->chosen_job_id = strtoull(value, NULL, 10);
    else if (after(word, "agent=") != NULL)
        login->facts.agent_alive = strcmp(value, "alive") == 0;
    else if (after(word, "complete=") != NULL)
        login->facts.node.knows_all_jobs = strcmp(value, "1") == 0;
    else if (after(word, "node-ask=") != NULL)
        login->facts.node.ask = (rollcall_login_v1_Ask)atoi(value);
    else if (after(word, "user-ask=") != NULL)
        user->ask = (rollcall_login_v1_Ask)atoi(value);
    else if (after(word, "connection=") != NULL)
        login->connection_known = strcmp(value, "known") == 0;
    else if (after(word, "others=") == NULL && after(word, "answer=") == NULL) {
        if (login->option_count == OPTIONS_MAX)
            return false;
        login->options[login->option_count++] = word;
    }
    return true;
}

static void write_answer(const struct decision *decision, char *answer, size_t size)
{
    unsigned long long job = decision->job_id;

    switch (decision->kind) {
    case DECISION_ASK:
        snprintf(answer, size, "ask");
        break;
    case DECISION_JOIN:
        snprintf(answer, size, "join %llu %s", job, decision->reason);
        break;
    case DECISION_ALLOW:
        snprintf(answer, size, "allow %s", decision->reason);
        break;
    case DECISION_REFUSE:
        snprintf(answer, size, "refuse %s: %s", decision->reason, decision->message);
        break;
    case DECISION_STEP_ASIDE:
        snprintf(answer, size, "aside %s", decision->reason);
        break;
    }
}

bool case_answer(const char *line, char *answer, size_t size)
{
    static char text[LINE_MAX_BYTES];
    static struct login_case login;
    struct options options;
    struct problem problem = {""};
    struct decision decision;
    char *rest = text;

    if (strlen(line) >= sizeof text)
        return false;
    strcpy(text, line);
    memset(&login, 0, sizeof login);
    login.facts.agent_alive = true;
    login.facts.node.knows_all_jobs = true;
    login.connection_known = true;
    for (char *word = strsep(&rest, " "); word != NULL; word = strsep(&rest, " ")) {
        if (word[0] != '\0' && !read_word(&login, word))
            return false;
    }
    if (!options_parse(&options, login.option_count, login.options, &problem))
        return false;
    decision = login_decide(&login.facts, login.connection_known ? &CONNECTION : NULL, PROCESS_START, NOW, &options);
    write_answer(&decision, answer, size);
    return true;
}
