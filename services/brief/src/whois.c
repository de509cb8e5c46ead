#include <stdio.h>
#include <string.h>

#include "call.h"
#include "text.h"
#include "users.h"
#include "words.h"

/* A cell of a table that is longer, or has more than ASCII, is measured and cut by rules that Java has. */
#define CELL_MAX 1024
#define COLUMNS 6

static const struct nested caller_has[] = {{3, NULL}, {5, NULL}, {6, NULL}, {0, NULL}}; /* job, process, called_at */
static const struct nested answer_has[] = {{1, caller_has}, {2, NULL}, {3, NULL}, {0, NULL}};
static const struct nested response_has[] = {{1, answer_has}, {0, NULL}};
static const struct method identify = {"rollcall.v1.CallerIdService/Identify", response_has};

static void put_endpoint(struct writing *connection, uint32_t number, const struct endpoint *endpoint)
{
    static struct writing message;

    message = (struct writing){.length = 0};
    protobuf_put_text(&message, 1, endpoint->address);
    protobuf_put_number(&message, 2, endpoint->port);
    protobuf_put_message(connection, number, &message);
}

static void put_request(struct writing *request, const struct options *options)
{
    static struct writing connection;

    connection = (struct writing){.length = 0};
    protobuf_put_number(&connection, 1, options->udp ? 2 : 1);
    put_endpoint(&connection, 2, &options->source);
    put_endpoint(&connection, 3, &options->destination);
    protobuf_put_message(request, 1, &connection);
}

static void print_json(struct bytes caller, const char *user)
{
    struct bytes job = protobuf_get(caller, 3).inside;
    struct bytes process = protobuf_get(caller, 5).inside;
    char called[TIME_MAX];

    text_time(protobuf_get(caller, 6).inside, called);
    putchar('{');
    text_member("cluster", protobuf_get(caller, 1).inside);
    putchar(',');
    text_member("node", protobuf_get(caller, 2).inside);
    if (job.at == NULL) {
        fputs(",\"job\":null,\"step\":null", stdout);
    } else {
        printf(",\"job\":%lld,", (long long)protobuf_get(job, 1).value);
        text_member("step", protobuf_get(job, 2).inside);
    }
    putchar(',');
    text_member("user", text_bytes(user));
    printf(",\"uid\":%u,\"pid\":%d,\"start_time\":%lld,", (unsigned)protobuf_get(caller, 4).value,
           (int)protobuf_get(process, 1).value, (long long)protobuf_get(process, 2).value);
    text_member("called_at", text_bytes(called));
    fputs("}\n", stdout);
}

/* An empty cell shows a dash, and a control character a question mark. */
static bool set_cell(char cell[CELL_MAX + 1], const char *text, size_t length)
{
    if (length > CELL_MAX)
        return false;
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];

        if (byte >= 0x80)
            return false;
        cell[i] = byte < ' ' || byte == 0x7f ? '?' : (char)byte;
    }
    cell[length] = '\0';
    if (length == 0)
        strcpy(cell, "-");
    return true;
}

static bool set_cells(char cells[COLUMNS][CELL_MAX + 1], struct bytes caller, const char *user)
{
    struct bytes job = protobuf_get(caller, 3).inside;
    struct bytes step = protobuf_get(job, 2).inside;
    struct bytes node = protobuf_get(caller, 2).inside;
    char called[TIME_MAX];

    text_clock(protobuf_get(caller, 6).inside, called);
    snprintf(cells[4], CELL_MAX, "%d", (int)protobuf_get(protobuf_get(caller, 5).inside, 1).value);
    if (job.at == NULL)
        strcpy(cells[0], "none");
    else
        snprintf(cells[0], CELL_MAX, "%lld", (long long)protobuf_get(job, 1).value);
    return set_cell(cells[1], (const char *)step.at, step.length)
           && set_cell(cells[2], (const char *)node.at, node.length) && set_cell(cells[3], user, strlen(user))
           && set_cell(cells[5], called, strlen(called));
}

static bool print_table(struct bytes caller, const char *user)
{
    static const char *const names[COLUMNS] = {"JOB", "STEP", "NODE", "USER", "PID", "CALLED"};
    static char cells[COLUMNS][CELL_MAX + 1];
    int widths[COLUMNS];

    if (!set_cells(cells, caller, user))
        return false;
    for (int i = 0; i < COLUMNS; i++) {
        size_t longer = strlen(cells[i]) > strlen(names[i]) ? strlen(cells[i]) : strlen(names[i]);

        widths[i] = i == COLUMNS - 1 ? 0 : (int)longer;
    }
    for (int i = 0; i < COLUMNS; i++)
        printf("%-*s%s", widths[i], names[i], i == COLUMNS - 1 ? "\n" : "  ");
    for (int i = 0; i < COLUMNS; i++)
        printf("%-*s%s", widths[i], cells[i], i == COLUMNS - 1 ? "\n" : "  ");
    return true;
}

static enum outcome found(struct bytes caller, bool json)
{
    char user[USER_NAME_MAX];

    users_name((uint32_t)protobuf_get(caller, 4).value, user);
    if (json)
        print_json(caller, user);
    else if (!print_table(caller, user))
        return OUTCOME_FOR_JAVA;
    return OUTCOME_PRINTED;
}

static void connection(const struct options *options, char *text, size_t size)
{
    const struct endpoint *from = &options->source;
    const struct endpoint *to = &options->destination;

    snprintf(text, size, from->v6 ? "%s [%s]:%u -> [%s]:%u" : "%s %s:%u -> %s:%u", options->udp ? "udp" : "tcp",
             from->address, from->port, to->address, to->port);
}

enum outcome whois_run(const struct options *options, struct failure *failure)
{
    static struct writing request;
    struct bytes message;
    struct field kind = {0};
    struct bytes rest;
    struct bytes reason;
    bool broken;
    char asked[256];

    put_request(&request, options);
    if (!call_agent(options->socket, &identify, &request, (uint32_t)options->timeout * 1000, &message, failure))
        return OUTCOME_FAILED;
    /* Of a oneof the last one counts. */
    rest = protobuf_get(message, 1).inside;
    for (struct field field; protobuf_next(&rest, &field, &broken);)
        kind = field.number >= 1 && field.number <= 3 ? field : kind;
    connection(options, asked, sizeof asked);
    reason = protobuf_get(kind.inside, 1).inside;
    switch (kind.number) {
    case 1:
        return found(kind.inside, options->json);
    case 2:
        failure_set(failure, STATUS_NOT_FOUND, "the caller of %s is unknown: %.*s", asked, (int)reason.length,
                    (const char *)reason.at);
        return OUTCOME_FAILED;
    case 3:
        failure_set(failure, STATUS_UNAVAILABLE, "the node that knows the caller of %s is unreachable: %.*s", asked,
                    (int)reason.length, (const char *)reason.at);
        return OUTCOME_FAILED;
    default:
        failure_set(failure, STATUS_FAILED, "the agent at %s sent an unknown kind of answer", options->socket);
        return OUTCOME_FAILED;
    }
}
