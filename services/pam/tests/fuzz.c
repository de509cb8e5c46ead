/* A regression loop over everything that reads bytes of others: replies, options, addresses, cgroup files. Each round takes a seed of the corpus, changes it at
 * random and runs one reader on a copy of exactly its size, so that the sanitizers see a byte read too far.
 * fuzz CONTRACT_DIRECTORY ROUNDS [SEED]   The same seed gives the same rounds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "connection.h"
#include "environment.h"
#include "frame.h"
#include "hex.h"
#include "membership.h"
#include "namespaces.h"
#include "options.h"
#include "tap.h"

#define INPUT_MAX 8192

static uint64_t state;

static uint32_t draw(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % below;
}

struct input {
    size_t length;
    uint8_t bytes[INPUT_MAX];
};

static void change(struct input *input)
{
    size_t at = input->length > 0 ? draw((uint32_t)input->length) : 0;

    switch (draw(6)) {
    case 0: /* a bit */
        input->bytes[at] ^= (uint8_t)(1 << draw(8));
        break;
    case 1: /* a byte, often an edge */
        input->bytes[at] = (const uint8_t[]){0, 1, 0x7f, 0x80, 0xff, '=', ':', (uint8_t)draw(256)}[draw(8)];
        break;
    case 2: /* the end */
        input->length = at;
        break;
    case 3: /* one more */
        if (input->length < INPUT_MAX) {
            memmove(input->bytes + at + 1, input->bytes + at, input->length - at);
            input->bytes[at] = (uint8_t)draw(256);
            input->length++;
        }
        break;
    case 4: /* one less */
        if (input->length > 0) {
            memmove(input->bytes + at, input->bytes + at + 1, input->length - at - 1);
            input->length--;
        }
        break;
    default: /* a piece of itself, again */
        if (input->length > at && 2 * input->length - at <= INPUT_MAX) {
            memcpy(input->bytes + input->length, input->bytes + at, input->length - at);
            input->length += input->length - at;
        }
        break;
    }
}

/* What the reader leaves behind must be sound, whatever it was given: these end the process if not. */
static void demand(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "fuzz: %s\n", what);
        abort();
    }
}

static void read_reply(const uint8_t *bytes, size_t length)
{
    rollcall_door_v1_DoorReply reply = rollcall_door_v1_DoorReply_init_zero;
    struct problem problem = {""};
    size_t expected = frame_expected(bytes, length);

    demand(expected <= FRAME_REPLY_MAX, "a frame longer than its limit is expected");
    if (length < FRAME_HEADER || length > FRAME_REPLY_MAX)
        return;
    if (!frame_decode(bytes, length, &reply, &problem)) {
        demand(problem.text[0] != '\0', "a refused reply has no reason");
        return;
    }
    demand(memchr(reply.message, '\0', sizeof reply.message) != NULL
               && memchr(reply.cgroup_path, '\0', sizeof reply.cgroup_path) != NULL
               && memchr(reply.cgroup_hierarchy, '\0', sizeof reply.cgroup_hierarchy) != NULL
               && memchr(reply.reason, '\0', sizeof reply.reason) != NULL,
           "a text of the reply has no end");
    demand(reply.environment_count <= sizeof reply.environment / sizeof *reply.environment, "the reply has more variables than there is room for");
    for (pb_size_t i = 0; i < reply.environment_count; i++)
        demand(!environment_allows(reply.environment[i].name) || strchr(reply.environment[i].name, '=') == NULL,
               "a name with '=' is allowed");
    demand(reply.namespaces_count <= sizeof reply.namespaces / sizeof *reply.namespaces
               && reply.rlimits_count <= sizeof reply.rlimits / sizeof *reply.rlimits,
           "the reply has more namespaces or limits than there is room for");
    demand(namespaces_join(&reply, &(struct descriptors){.count = 0}, &problem)
               == (reply.namespaces_count == 0 ? JOINING_DONE : JOINING_NOT_BEGUN),
           "namespaces without descriptors are joined");
    membership_shown(MEMBERSHIP_SELF, reply.cgroup_hierarchy, reply.cgroup_path, &problem);
}

static void read_options(const char *text)
{
    const char *words[2] = {text, text};
    struct options options;
    struct problem problem = {""};

    if (!options_parse(&options, 2, words, &problem))
        demand(problem.text[0] != '\0', "a refused option has no reason");
    demand(options.port_count >= 1 && options.port_count <= OPTIONS_PORTS_MAX && options.timeout_ms >= 1
               && options.timeout_ms <= 5000 && options.socket_path[0] == '/' && options.service[0] != '\0',
           "the options are out of their bounds");
}

static void read_address(const char *text)
{
    struct address address;

    if (address_parse(text, &address))
        demand(address.length == 4 || address.length == 16, "an address has an odd length");
}

static char cgroup_file[] = "/tmp/rollcall-fuzz.XXXXXX";
static int cgroup_descriptor;

static void read_cgroups(const uint8_t *bytes, size_t length)
{
    struct problem problem = {""};

    if (ftruncate(cgroup_descriptor, 0) < 0 || pwrite(cgroup_descriptor, bytes, length, 0) != (ssize_t)length)
        demand(false, "the cgroup file cannot be written");
    demand(membership_shown(cgroup_file, "", "/no such cgroup", &problem) == false, "a cgroup that is not there is shown");
    membership_shown(cgroup_file, "freezer", "/job_42", &problem);
}

enum reader { READER_REPLY, READER_OPTIONS, READER_ADDRESS, READER_CGROUPS };

struct seed {
    enum reader reader;
    struct input input;
};

static struct seed corpus[64];
static size_t corpus_size;

static void add_text(enum reader reader, const char *text)
{
    struct seed *seed = &corpus[corpus_size++];

    seed->reader = reader;
    seed->input.length = strlen(text);
    memcpy(seed->input.bytes, text, seed->input.length);
}

static void add_frame(const char *directory, const char *name)
{
    struct seed *seed = &corpus[corpus_size++];
    char file[512];

    snprintf(file, sizeof file, "%s/%s", directory, name);
    seed->reader = READER_REPLY;
    seed->input.length = hex_read(file, seed->input.bytes, INPUT_MAX);
}

static void fill_corpus(const char *contract)
{
    static const char *const OPTIONS[] = {
        "action_no_jobs=deny", "action_unknown=newest",  "action_adopt_failure=allow", "action_generic_failure=ignore",
        "ignore_root=true",    "single_job_skip_rpc=0",  "disable_x11=1",              "join_container=false",
        "log_level=debug5",    "nodename=node1",         "service=*",                  "timeout_ms=5000",
        "port=22,2222,65535",  "socket=/run/rollcall/d"};
    static const char *const ADDRESSES[] = {"10.77.0.1", "fd77::1", "fe80::1%eth0", "::ffff:10.77.0.1", "node1"};

    add_frame(contract, "reply.hex");
    add_frame(contract, "reply-denied.hex");
    add_frame(contract, "reply-session.hex");
    add_frame(contract, "request.hex");
    for (size_t i = 0; i < sizeof OPTIONS / sizeof *OPTIONS; i++)
        add_text(READER_OPTIONS, OPTIONS[i]);
    for (size_t i = 0; i < sizeof ADDRESSES / sizeof *ADDRESSES; i++)
        add_text(READER_ADDRESS, ADDRESSES[i]);
    add_text(READER_CGROUPS, "9:freezer:/job_42\n1:cpu,cpuacct:/\n0::/rollcall.scope/job_42/step_extern\n");
    add_text(READER_CGROUPS, "0::/\n");
}

static void run(enum reader reader, const struct input *input)
{
    uint8_t *bytes = malloc(input->length + 1);

    demand(bytes != NULL, "no memory");
    memcpy(bytes, input->bytes, input->length);
    bytes[input->length] = '\0';
    switch (reader) {
    case READER_REPLY:
        bytes = realloc(bytes, input->length > 0 ? input->length : 1); /* without the end that texts have */
        demand(bytes != NULL, "no memory");
        read_reply(bytes, input->length);
        break;
    case READER_OPTIONS:
        read_options((const char *)bytes);
        break;
    case READER_ADDRESS:
        read_address((const char *)bytes);
        break;
    case READER_CGROUPS:
        read_cgroups(bytes, input->length);
        break;
    }
    free(bytes);
}

int main(int count, char **arguments)
{
    static struct input input;
    long rounds = count > 2 ? strtol(arguments[2], NULL, 10) : 0;
    struct timespec time;
    unsigned long long seed;

    if (rounds <= 0)
        return 2;
    clock_gettime(CLOCK_REALTIME, &time);
    seed = count > 3 ? strtoull(arguments[3], NULL, 10) : (unsigned long long)time.tv_sec * 1000003 + (unsigned)time.tv_nsec;
    state = seed | 1;
    tap_say("fuzz %s %ld %llu", arguments[1], rounds, seed);
    fflush(stdout);
    cgroup_descriptor = mkstemp(cgroup_file);
    fill_corpus(arguments[1]);
    for (size_t i = 0; i < corpus_size; i++)
        run(corpus[i].reader, &corpus[i].input);
    for (long round = 0; round < rounds; round++) {
        const struct seed *chosen = &corpus[draw((uint32_t)corpus_size)];

        input.length = chosen->input.length;
        memcpy(input.bytes, chosen->input.bytes, input.length);
        for (uint32_t changes = 1 + draw(8); changes > 0; changes--)
            change(&input);
        run(chosen->reader, &input);
    }
    close(cgroup_descriptor);
    unlink(cgroup_file);
    tap(true, "%ld changed inputs over %zu seeds left every reader sound", rounds, corpus_size);
    return tap_done();
}
