/* A frame as the agent sends it, and everything that the module does with what is in it. */
#include <pb_encode.h>
#include <string.h>

#include "environment.h"
#include "frame.h"
#include "membership.h"
#include "namespaces.h"
#include "target.h"

/* More than every field at its bound. */
#define ENCODED_MAX (128 * 1024)

#define ENDS(text) (memchr(text, '\0', sizeof(text)) != NULL)
#define FITS(reply, field) ((reply)->field##_count <= sizeof(reply)->field / sizeof *(reply)->field)

static void demand_bounds(const rollcall_loginsocket_v1_LoginReply *reply)
{
    demand(ENDS(reply->message) && ENDS(reply->cgroup_path) && ENDS(reply->cgroup_hierarchy) && ENDS(reply->reason)
               && ENDS(reply->adoption_id),
           "a text of the reply has no end");
    demand(FITS(reply, environment) && FITS(reply, namespaces) && FITS(reply, rlimits),
           "the reply has more of something than there is room for");
    for (pb_size_t i = 0; i < reply->environment_count; i++)
        demand(ENDS(reply->environment[i].name) && ENDS(reply->environment[i].value),
               "a variable of the reply has no end");
}

static void demand_caution(const rollcall_loginsocket_v1_LoginReply *reply)
{
    struct problem problem = {""};

    demand(namespaces_join(reply, &(struct descriptors){.count = 0}, &problem)
               == (reply->namespaces_count == 0 ? JOINING_DONE : JOINING_NOT_BEGUN),
           "namespaces without descriptors are joined");
    for (pb_size_t i = 0; i < reply->environment_count; i++)
        demand(!environment_allows(reply->environment[i].name) || strchr(reply->environment[i].name, '=') == NULL,
               "a name with '=' is allowed");
}

static size_t encode(const rollcall_loginsocket_v1_LoginReply *reply, uint8_t *bytes)
{
    pb_ostream_t stream = pb_ostream_from_buffer(bytes, ENCODED_MAX);

    demand(pb_encode(&stream, rollcall_loginsocket_v1_LoginReply_fields, reply),
           "a reply that was read cannot be written");
    return stream.bytes_written;
}

/* What was read is written and read again: the same. */
static void demand_round_trip(const rollcall_loginsocket_v1_LoginReply *reply)
{
    static uint8_t once[FRAME_HEADER + ENCODED_MAX];
    static uint8_t twice[ENCODED_MAX];
    static rollcall_loginsocket_v1_LoginReply again;
    struct problem problem = {""};
    size_t length = encode(reply, once + FRAME_HEADER);

    again = (rollcall_loginsocket_v1_LoginReply)rollcall_loginsocket_v1_LoginReply_init_zero;
    demand(frame_decode(once, FRAME_HEADER + length, &again, &problem), "a reply that was written cannot be read");
    demand(encode(&again, twice) == length && memcmp(once + FRAME_HEADER, twice, length) == 0,
           "a reply that was read again is another one");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static rollcall_loginsocket_v1_LoginReply reply;
    struct problem problem = {""};

    demand(frame_expected(bytes, length) <= FRAME_REPLY_MAX, "a frame longer than its limit is expected");
    if (length < FRAME_HEADER || length > FRAME_REPLY_MAX)
        return 0;
    reply = (rollcall_loginsocket_v1_LoginReply)rollcall_loginsocket_v1_LoginReply_init_zero;
    if (!frame_decode(bytes, length, &reply, &problem)) {
        demand(problem.text[0] != '\0', "a refused reply has no reason");
        return 0;
    }
    demand_bounds(&reply);
    demand_caution(&reply);
    demand_round_trip(&reply);
    return 0;
}
