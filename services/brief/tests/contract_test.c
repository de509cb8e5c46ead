/* The golden frames of contract/: the agent's tests read the same files, so neither side can change the protocol alone.
 */
#include <stdio.h>
#include <string.h>

#include "frame.h"
#include "hex.h"
#include "tap.h"

static const char *directory;
static uint8_t golden[FRAME_REQUEST_MAX];

static size_t read_golden(const char *name)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/%s.hex", directory, name);
    return hex_read(path, golden, sizeof golden);
}

/* Reads the golden frame as a reply. */
static bool reads(const char *name, struct reply *reply)
{
    size_t length = read_golden(name);

    tap(frame_length(golden) == length - FRAME_HEADER, "%s: the header has the length", name);
    return frame_decode((struct bytes){golden + FRAME_HEADER, length - FRAME_HEADER}, NULL, reply);
}

static void the_request(void)
{
    static uint8_t frame[FRAME_REQUEST_MAX];
    static struct writing message;
    size_t length = read_golden("request-get");

    protobuf_put_number(&message, 1, 42);
    tap(frame_encode("rollcall.v1.JobService/Get", &message, 2000, frame) == length
            && memcmp(frame, golden, length) == 0,
        "a request is the golden one");
}

static void the_replies(void)
{
    static const char denied[] = "uid 1001 may not begin a job: root only";
    struct reply reply;

    tap(reads("reply-one", &reply) && reply.code == 0, "an answer succeeds");
    tap(protobuf_get(protobuf_get(reply.message, 1).inside, 1).value == 42, "its message is the job");
    tap(reads("reply-empty-message", &reply) && reply.code == 0 && reply.message.length == 0,
        "an empty message is one");
    tap(reads("reply-end-denied", &reply) && reply.code == 7 && reply.text.length == sizeof denied - 1
            && memcmp(reply.text.at, denied, sizeof denied - 1) == 0,
        "a refusal has a code and a text");
    tap(!reads("reply-stream-message", &reply), "a message without an end answers no unary call");
    tap(!reads("reply-stream-end", &reply), "nor does a success without a message");
}

int main(int count, char **arguments)
{
    directory = count > 1 ? arguments[1] : "contract";
    the_request();
    the_replies();
    return tap_done();
}
