/* The file of a user, whatever it says, and what the module decides by it. The input's first byte picks options. */
#include <pb_encode.h>
#include <string.h>

#include "decision.h"
#include "login_files.h"
#include "target.h"

#define BOOT "5e1dca1f-6f4b-4c1b-9d4c-000000000001"
#define UID 2001
/* More than every field at its bound. */
#define ENCODED_MAX (128 * 1024)

static const struct connection CONNECTION = {
    .local = {.length = 4, .bytes = {10, 77, 0, 2}},
    .local_port = 22,
    .remote = {.length = 4, .bytes = {10, 77, 0, 1}},
    .remote_port = 40001,
};

static bool is_open(const rollcall_login_v1_User *user, uint64_t job_id)
{
    for (pb_size_t i = 0; i < user->jobs_count; i++) {
        if (user->jobs[i].job_id == job_id && user->jobs[i].state == rollcall_login_v1_JobState_JOB_STATE_OPEN)
            return true;
    }
    return false;
}

static void demand_caution(const struct login_facts *facts, const struct decision *decision)
{
    demand(decision->reason != NULL && decision->reason[0] != '\0', "a decision has no reason");
    demand(memchr(decision->message, '\0', sizeof decision->message) != NULL, "a message has no end");
    demand((decision->kind == DECISION_REFUSE) == (decision->message[0] != '\0'), "a message of no refusal, or none");
    if (decision->kind != DECISION_JOIN)
        return;
    demand(decision->job_id != 0 && is_open(&facts->user, decision->job_id), "a job is joined that is not open here");
    demand(facts->has_user && facts->user.ask == 0, "a file that says ask is obeyed");
}

static void decide(struct login_facts *facts, uint8_t picked)
{
    struct options options;
    struct problem problem = {""};
    const char *words[] = {picked & 1 ? "action_unknown=deny" : "action_unknown=newest",
                           picked & 2 ? "choose=1" : "choose=0"};
    struct decision decision;

    demand(options_parse(&options, 2, words, &problem), "the fuzz target's options are wrong");
    facts->agent_alive = picked & 4;
    facts->has_user = true;
    memset(&facts->node, 0, sizeof facts->node);
    decision = login_decide(facts, picked & 8 ? NULL : &CONNECTION, 1000, 2000, &options);
    demand_caution(facts, &decision);
}

static size_t encode(const rollcall_login_v1_User *user, uint8_t *bytes)
{
    pb_ostream_t stream = pb_ostream_from_buffer(bytes, ENCODED_MAX);

    demand(pb_encode(&stream, rollcall_login_v1_User_fields, user), "a file that was read cannot be written");
    return stream.bytes_written;
}

static void demand_round_trip(const rollcall_login_v1_User *user)
{
    static uint8_t once[ENCODED_MAX];
    static uint8_t twice[ENCODED_MAX];
    static rollcall_login_v1_User again;
    struct problem problem = {""};
    size_t length = encode(user, once);

    demand(login_decode_user(once, length, BOOT, UID, &again, &problem) == LOGIN_READ,
           "a file that was written cannot be read");
    demand(encode(&again, twice) == length && memcmp(once, twice, length) == 0,
           "a file that was read again is another one");
}

/* The same bytes as the file of a job and of the node. */
static void read_as_others(const uint8_t *bytes, size_t length)
{
    static rollcall_login_v1_Job job;
    static rollcall_login_v1_Node node;
    struct problem problem = {""};

    if (login_decode_job(bytes, length, BOOT, UID, 41, &job, &problem) == LOGIN_READ)
        demand(job.complete && job.job_id == 41 && job.uid == UID && job.cgroups_count <= 8
                   && job.environment_count <= 48,
               "a job's file is out of its bounds");
    problem.text[0] = '\0';
    if (login_decode_node(bytes, length, BOOT, &node, &problem) != LOGIN_READ)
        demand(problem.text[0] != '\0', "a refused file has no reason");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static struct login_facts facts;
    struct problem problem = {""};

    if (length < 1 || length > LOGIN_FILE_MAX)
        return 0;
    read_as_others(bytes + 1, length - 1);
    if (login_decode_user(bytes + 1, length - 1, BOOT, UID, &facts.user, &problem) != LOGIN_READ) {
        demand(problem.text[0] != '\0', "a refused file has no reason");
        return 0;
    }
    demand(facts.user.uid == UID && facts.user.jobs_count <= 512 && facts.user.callers_count <= 64,
           "a user's file is out of its bounds");
    demand_round_trip(&facts.user);
    decide(&facts, bytes[0]);
    return 0;
}
