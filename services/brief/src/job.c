#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "call.h"
#include "environment.h"
#include "text.h"
#include "users.h"
#include "words.h"

static const struct nested job_has[] = {{7, NULL}, {0, NULL}}; /* started_at */
static const struct nested begun_has[] = {{1, job_has}, {0, NULL}};
static const struct method begin = {"rollcall.v1.JobService/Begin", begun_has};
static const struct nested process_has[] = {{1, NULL}, {0, NULL}}; /* pid and start time */
static const struct nested ended_has[] = {{2, process_has}, {0, NULL}};
static const struct method end = {"rollcall.v1.JobService/End", ended_has};

/* The user that --user or --uid names. */
static enum users named(const struct options *options, struct user *user, struct failure *failure)
{
    *user = (struct user){.uid = options->uid};
    if (options->user != NULL)
        return users_find(options->user, 0, user, failure);
    return options->has_uid ? USERS_FOUND : USERS_NOBODY;
}

/* The owner and group of a job that begins. */
static enum users owner(const struct options *options, struct user *user, struct failure *failure)
{
    enum users found = named(options, user, failure);

    if (found == USERS_FOUND && !options->has_gid && options->user == NULL)
        found = users_find(NULL, user->uid, user, failure);
    if (options->has_gid)
        user->gid = options->gid;
    return found;
}

/* What to do without a user: Java says that nobody has the name. */
static enum outcome without(enum users found)
{
    return found == USERS_SILENT ? OUTCOME_FAILED : OUTCOME_FOR_JAVA;
}

static const char *state(uint64_t number)
{
    static const char *const states[] = {"unspecified", "beginning", "open", "suspended", "closing", "closed"};

    return number < sizeof states / sizeof states[0] ? states[number] : "unrecognized";
}

/* The name that the job's node gave, else the one that this machine knows. */
static struct bytes user_of(struct bytes job, char name[USER_NAME_MAX])
{
    struct bytes sent = protobuf_get(job, 5).inside;

    if (sent.length > 0)
        return sent;
    users_name((uint32_t)protobuf_get(job, 3).value, name);
    return text_bytes(name);
}

static void print_if_known(const char *member, struct bytes value)
{
    if (value.length == 0)
        printf("\"%s\":null", member);
    else
        text_member(member, value);
    putchar(',');
}

static void print_job(struct bytes job)
{
    char name[USER_NAME_MAX];
    char started[TIME_MAX];

    text_time(protobuf_get(job, 7).inside, started);
    printf("{\"job\":%lld,", (long long)protobuf_get(job, 1).value);
    print_if_known("batch_id", protobuf_get(job, 9).inside);
    print_if_known("name", protobuf_get(job, 10).inside);
    text_member("node", protobuf_get(job, 2).inside);
    putchar(',');
    text_member("user", user_of(job, name));
    printf(",\"uid\":%u,\"gid\":%u,", (unsigned)protobuf_get(job, 3).value, (unsigned)protobuf_get(job, 4).value);
    text_member("state", text_bytes(state(protobuf_get(job, 6).value)));
    putchar(',');
    text_member("started_at", text_bytes(started));
    printf(",\"stale\":%s}\n", protobuf_get(job, 8).value != 0 ? "true" : "false");
}

enum outcome job_begin_run(const struct options *options, struct failure *failure)
{
    static struct writing request;
    static struct writing allocation;
    struct bytes message;
    struct bytes job;
    struct bytes user;
    struct bytes node;
    struct user its;
    char name[USER_NAME_MAX];
    enum users found = owner(options, &its, failure);

    if (found != USERS_FOUND)
        return without(found);
    protobuf_put_number(&request, 1, options->job);
    protobuf_put_number(&request, 2, its.uid);
    protobuf_put_number(&request, 3, its.gid);
    if (options->batch_environment) {
        if (!environment_put(&allocation, environ))
            return OUTCOME_FOR_JAVA;
        if (allocation.length > 0) {
            /* Java also writes limits and devices that are empty. */
            protobuf_put_bytes(&allocation, 1, "", 0);
            protobuf_put_bytes(&allocation, 2, "", 0);
            protobuf_put_message(&request, 5, &allocation);
        }
    }
    if (!call_agent(options->socket, &begin, &request, (uint32_t)options->timeout * 1000, &message, failure))
        return OUTCOME_FAILED;
    job = protobuf_get(message, 1).inside;
    if (options->json) {
        print_job(job);
        return OUTCOME_PRINTED;
    }
    user = user_of(job, name);
    node = protobuf_get(job, 2).inside;
    printf("job %lld of ", (long long)protobuf_get(job, 1).value);
    text_print(stdout, (const char *)user.at, user.length);
    fputs(" is open on ", stdout);
    text_print(stdout, (const char *)node.at, node.length);
    putchar('\n');
    return OUTCOME_PRINTED;
}

static void put_span(struct writing *request, uint32_t number, struct span span)
{
    static struct writing message;

    message = (struct writing){.length = 0};
    protobuf_put_number(&message, 1, span.milliseconds / 1000);
    protobuf_put_number(&message, 2, span.milliseconds % 1000 * 1000000);
    protobuf_put_message(request, number, &message);
}

/* A process that is left: in JSON, or as a person reads it. */
static void print_process(struct bytes listed, bool json)
{
    struct bytes process = protobuf_get(listed, 1).inside;
    struct bytes command = protobuf_get(listed, 3).inside;
    int pid = (int)protobuf_get(process, 1).value;

    if (!json) {
        printf("%d (", pid);
        text_print(stdout, (const char *)command.at, command.length);
        putchar(')');
        return;
    }
    printf("{\"pid\":%d,\"start_time\":%lld,", pid, (long long)protobuf_get(process, 2).value);
    text_member("step", protobuf_get(listed, 2).inside);
    putchar(',');
    text_member("command", command);
    putchar('}');
}

static void print_remaining(struct bytes ended, bool json)
{
    const char *between = "";
    struct field field;
    bool broken;

    while (protobuf_next(&ended, &field, &broken)) {
        if (field.number != 2)
            continue;
        fputs(between, stdout);
        print_process(field.inside, json);
        between = json ? "," : ", ";
    }
}

static void print_end(const struct options *options, struct bytes ended)
{
    struct bytes reason = protobuf_get(ended, 4).inside;
    uint64_t wait = options->wait.milliseconds;
    bool whole = wait % 1000 == 0;

    if (protobuf_get(ended, 5).value != 0) {
        printf("no job %u is on this node: it has ended before, or never began here\n", (unsigned)options->job);
        return;
    }
    if (protobuf_get(ended, 1).value != 0) {
        printf("job %u has ended, processes killed: %d\n", (unsigned)options->job, (int)protobuf_get(ended, 3).value);
        return;
    }
    printf("job %u is still ending after %llu%s, processes left: ", (unsigned)options->job,
           (unsigned long long)(whole ? wait / 1000 : wait), whole ? "s" : "ms");
    print_remaining(ended, false);
    if (reason.length > 0) {
        fputs("; ", stdout);
        text_print(stdout, (const char *)reason.at, reason.length);
    }
    putchar('\n');
}

static void print_end_json(const struct options *options, struct bytes ended)
{
    printf("{\"job\":%u,\"clean\":%s,\"killed\":%d,\"remaining\":[", (unsigned)options->job,
           protobuf_get(ended, 1).value != 0 ? "true" : "false", (int)protobuf_get(ended, 3).value);
    print_remaining(ended, true);
    fputs("],", stdout);
    text_member("reason", protobuf_get(ended, 4).inside);
    fputs("}\n", stdout);
}

enum outcome job_end_run(const struct options *options, struct failure *failure)
{
    static struct writing request;
    struct bytes ended;
    char usual[64];
    struct user its;
    enum users found = named(options, &its, failure);
    bool owned = found == USERS_FOUND;

    if (found == USERS_SILENT || (options->user != NULL && !owned))
        return without(found);
    if (owned && its.uid == 0)
        return OUTCOME_FOR_JAVA; /* it also writes a 0 */
    snprintf(usual, sizeof usual, "job %u is ending", (unsigned)options->job);
    protobuf_put_number(&request, 1, options->job);
    put_span(&request, 2, options->wait);
    if (options->has_grace)
        put_span(&request, 3, options->grace);
    protobuf_put_text(&request, 4, options->message == NULL ? usual : options->message);
    if (owned)
        protobuf_put_number(&request, 5, its.uid);
    if (!call_agent(options->socket, &end, &request,
                    (uint32_t)options->timeout * 1000 + (uint32_t)options->wait.milliseconds, &ended, failure))
        return OUTCOME_FAILED;
    if (options->json)
        print_end_json(options, ended);
    else
        print_end(options, ended);
    failure->status = protobuf_get(ended, 1).value != 0 ? STATUS_OK : STATUS_FAILED;
    return OUTCOME_PRINTED;
}
