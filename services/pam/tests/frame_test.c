#include <pb_decode.h>
#include <pb_encode.h>
#include <string.h>

#include "frame.h"
#include "tap.h"

static uint8_t frame[FRAME_REPLY_MAX];
static struct problem problem;

static size_t encode_reply(const rollcall_loginsocket_v1_LoginReply *reply)
{
    pb_ostream_t stream = pb_ostream_from_buffer(frame + FRAME_HEADER, sizeof frame - FRAME_HEADER);

    if (!pb_encode(&stream, rollcall_loginsocket_v1_LoginReply_fields, reply))
        return 0;
    frame[0] = frame[1] = 0;
    frame[2] = (uint8_t)(stream.bytes_written >> 8);
    frame[3] = (uint8_t)stream.bytes_written;
    return FRAME_HEADER + stream.bytes_written;
}

static rollcall_loginsocket_v1_LoginReply sample(void)
{
    rollcall_loginsocket_v1_LoginReply reply = {
        .outcome = rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ADOPTED,
        .message = "hello",
        .job_id = 4294967295,
        .cgroup_path = "/rollcall.scope/job_42/step_extern/user/session_1",
        .cgroup_hierarchy = "freezer",
        .environment_count = 1,
        .environment = {{.name = "SLURM_JOB_ID", .value = "42"}},
        .adoption_id = "a-1",
        .reason = "caller-job",
    };

    return reply;
}

static void length_is_told(void)
{
    uint8_t header[8] = {0, 0, 0x80, 0};

    for (size_t received = 0; received < FRAME_HEADER; received++)
        tap(frame_expected(header, received) == FRAME_HEADER, "after %zu bytes the header is expected", received);
    tap(frame_expected(header, FRAME_HEADER) == FRAME_REPLY_MAX, "32768 bytes are the longest reply");
    header[3] = 1;
    tap(frame_expected(header, FRAME_HEADER) == 0, "32769 bytes are too long");
    memset(header, 0xff, sizeof header);
    tap(frame_expected(header, FRAME_HEADER) == 0, "4294967295 bytes are too long");
    memset(header, 0, sizeof header);
    tap(frame_expected(header, FRAME_HEADER) == FRAME_HEADER, "an empty reply ends with its header");
}

static void replies_are_read(void)
{
    rollcall_loginsocket_v1_LoginReply reply = rollcall_loginsocket_v1_LoginReply_init_zero;
    rollcall_loginsocket_v1_LoginReply wanted = sample();
    size_t length = encode_reply(&wanted);

    tap(length > 0 && frame_decode(frame, length, &reply, &problem), "a reply is read");
    tap(reply.outcome == wanted.outcome && reply.job_id == wanted.job_id && strcmp(reply.message, "hello") == 0
            && strcmp(reply.cgroup_path, wanted.cgroup_path) == 0 && strcmp(reply.cgroup_hierarchy, "freezer") == 0
            && reply.environment_count == 1 && strcmp(reply.environment[0].name, "SLURM_JOB_ID") == 0
            && strcmp(reply.environment[0].value, "42") == 0 && strcmp(reply.reason, "caller-job") == 0,
        "every field of the reply is as it was sent");
    for (size_t cut = 1; cut + FRAME_HEADER < length; cut++) {
        if (frame_decode(frame, length - cut, &reply, &problem) && reply.reason[0] != '\0') {
            tap(false, "a reply that lacks its last %zu bytes is not taken for whole", cut);
            return;
        }
    }
    tap(true, "a truncated reply is never taken for whole, at each of %zu lengths", length - FRAME_HEADER - 1);
    tap(frame_decode(frame, FRAME_HEADER, &reply, &problem)
            && reply.outcome == rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_UNSPECIFIED,
        "an empty reply has no outcome");
}

/* A field by hand: its tag and a length of up to two bytes, then that many 'x'. */
static size_t text_field(uint8_t *to, unsigned field, size_t length)
{
    size_t at = 0;

    to[at++] = (uint8_t)(field << 3 | 2);
    if (length > 127) {
        to[at++] = (uint8_t)(length & 127) | 128;
        to[at++] = (uint8_t)(length >> 7);
    } else {
        to[at++] = (uint8_t)length;
    }
    memset(to + at, 'x', length);
    return at + length;
}

static void bounds_are_held(void)
{
    static const struct {
        unsigned field;
        size_t size;
        const char *name;
    } TEXTS[] = {{2, 256, "message"},
                 {4, 512, "cgroup_path"},
                 {5, 32, "cgroup_hierarchy"},
                 {7, 32, "adoption_id"},
                 {8, 64, "reason"}};
    rollcall_loginsocket_v1_LoginReply reply;
    size_t length = 0;

    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        length = text_field(frame + FRAME_HEADER, TEXTS[i].field, TEXTS[i].size - 1);
        tap(frame_decode(frame, FRAME_HEADER + length, &reply, &problem), "a %s of %zu bytes is read", TEXTS[i].name,
            TEXTS[i].size - 1);
        length = text_field(frame + FRAME_HEADER, TEXTS[i].field, TEXTS[i].size);
        problem.text[0] = '\0';
        tap(!frame_decode(frame, FRAME_HEADER + length, &reply, &problem) && problem.text[0] != '\0',
            "a %s of %zu bytes is refused, with a reason", TEXTS[i].name, TEXTS[i].size);
    }
    for (int i = 0; i < 49; i++) {
        frame[FRAME_HEADER + 2 * i] = 6 << 3 | 2;
        frame[FRAME_HEADER + 2 * i + 1] = 0;
    }
    tap(frame_decode(frame, FRAME_HEADER + 96, &reply, &problem) && reply.environment_count == 48,
        "48 variables are read");
    tap(!frame_decode(frame, FRAME_HEADER + 98, &reply, &problem), "a 49th variable is refused");
}

static void odd_replies(void)
{
    static const uint8_t LATER_FIELD[] = {0, 0, 0, 0, 8, 2, 0xf2, 0x06, 3, 'n', 'e', 'w'};
    static const uint8_t LATER_OUTCOME[] = {0, 0, 0, 0, 8, 99};
    rollcall_loginsocket_v1_LoginReply reply;

    memset(frame, 0xff, sizeof frame);
    tap(!frame_decode(frame, sizeof frame, &reply, &problem), "32768 bytes of ff are refused");
    tap(frame_decode(LATER_FIELD, sizeof LATER_FIELD, &reply, &problem)
            && reply.outcome == rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ALLOWED,
        "a field of a later version is passed over");
    tap(frame_decode(LATER_OUTCOME, sizeof LATER_OUTCOME, &reply, &problem) && (int)reply.outcome == 99,
        "an outcome of a later version stays visible as such");
}

static void requests_are_written(void)
{
    static rollcall_loginsocket_v1_LoginRequest request; /* zero */
    static rollcall_loginsocket_v1_LoginRequest read_back;
    static uint8_t written[FRAME_REQUEST_MAX];
    size_t length;
    pb_istream_t stream;

    request.version = 1;
    request.phase = rollcall_loginsocket_v1_Phase_PHASE_OPEN_SESSION;
    memset(request.service, 's', sizeof request.service - 1);
    memset(request.user, 'u', sizeof request.user - 1);
    memset(request.connection_problem, 'c', sizeof request.connection_problem - 1);
    memset(request.remote_host, 'h', sizeof request.remote_host - 1);
    memset(request.tty, 't', sizeof request.tty - 1);
    memset(request.node_name, 'n', sizeof request.node_name - 1);
    request.uid = UINT32_MAX;
    request.local_address.size = request.remote_address.size = 16;
    request.local_port = request.remote_port = request.patience_ms = UINT32_MAX;
    request.has_options = true;
    length = frame_encode(&request, written);
    tap(length > FRAME_HEADER && length == FRAME_HEADER + (size_t)(written[2] << 8 | written[3]),
        "the largest request fits, and its header tells its %zu bytes", length);
    stream = pb_istream_from_buffer(written + FRAME_HEADER, length - FRAME_HEADER);
    tap(pb_decode(&stream, rollcall_loginsocket_v1_LoginRequest_fields, &read_back)
            && strcmp(read_back.user, request.user) == 0 && strcmp(read_back.node_name, request.node_name) == 0
            && read_back.uid == UINT32_MAX && read_back.phase == request.phase,
        "it reads back as it was written");
    memset(request.user, 'u', sizeof request.user);
    tap(frame_encode(&request, written) == 0, "an unterminated text is not sent");
}

int main(void)
{
    length_is_told();
    replies_are_read();
    bounds_are_held();
    odd_replies();
    requests_are_written();
    return tap_done();
}
