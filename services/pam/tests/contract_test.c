/* The golden frames of contract/: the agent's tests read the same files, so neither side can change the protocol alone.
 */
#include <pb_encode.h>
#include <stdio.h>
#include <string.h>

#include "frame.h"
#include "hex.h"
#include "tap.h"

static const rollcall_door_v1_DoorRequest REQUEST = {
    .version = 1,
    .phase = rollcall_door_v1_Phase_PHASE_ACCOUNT,
    .service = "sshd",
    .user = "alice",
    .uid = 1001,
    .local_address = {4, {10, 77, 0, 2}},
    .local_port = 22,
    .remote_address = {4, {10, 77, 0, 1}},
    .remote_port = 40001,
    .has_options = true,
    .options = {.action_no_jobs = rollcall_door_v1_Choice_CHOICE_DENY,
                .action_unknown = rollcall_door_v1_Choice_CHOICE_NEWEST,
                .action_adopt_failure = rollcall_door_v1_Choice_CHOICE_DENY,
                .single_job_ask_caller = true,
                .disable_x11 = true,
                .stay_outside_container = true},
    .patience_ms = 250,
    .remote_host = "10.77.0.1",
    .tty = "ssh",
    .node_name = "node2",
};

static const rollcall_door_v1_DoorRequest REQUEST_V6 = {
    .version = 1,
    .phase = rollcall_door_v1_Phase_PHASE_OPEN_SESSION,
    .service = "sshd",
    .user = "bob",
    .uid = 1002,
    .local_address = {16, {0xfd, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}},
    .local_port = 2222,
    .remote_address = {16, {0xfd, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}},
    .remote_port = 65535,
    .has_options = true,
    .options = {.action_no_jobs = rollcall_door_v1_Choice_CHOICE_IGNORE,
                .action_unknown = rollcall_door_v1_Choice_CHOICE_ALLOW,
                .action_adopt_failure = rollcall_door_v1_Choice_CHOICE_ALLOW},
    .patience_ms = 1,
    .remote_host = "fd77::1",
    .tty = "ssh",
};

static const rollcall_door_v1_DoorReply REPLY = {
    .outcome = rollcall_door_v1_DoorOutcome_DOOR_OUTCOME_ADOPTED,
    .job_id = 42,
    .cgroup_path = "/rollcall.scope/job_42/step_extern/user/session_1",
    .environment_count = 2,
    .environment = {{.name = "SLURM_JOB_ID", .value = "42"}, {.name = "TMPDIR", .value = "/tmp"}},
    .adoption_id = "1",
    .reason = "caller-job",
};

static const rollcall_door_v1_DoorReply SESSION = {
    .outcome = rollcall_door_v1_DoorOutcome_DOOR_OUTCOME_ADOPTED,
    .job_id = 42,
    .cgroup_path = "/job_42/step_extern/user/session_1",
    .cgroup_hierarchy = "freezer",
    .environment_count = 1,
    .environment = {{.name = "SLURM_JOB_ID", .value = "42"}},
    .adoption_id = "1",
    .reason = "only-job",
    .has_gid = true,
    .gid = 0,
    .namespaces_count = 2,
    .namespaces = {rollcall_door_v1_NamespaceKind_NAMESPACE_KIND_IPC,
                   rollcall_door_v1_NamespaceKind_NAMESPACE_KIND_MOUNT},
    .rlimits_count = 2,
    .rlimits = {{7, 256, 1024}, {8, 0, UINT64_MAX}},
};

static const rollcall_door_v1_DoorReply REFUSAL = {
    .outcome = rollcall_door_v1_DoorOutcome_DOOR_OUTCOME_DENIED,
    .message = "Access denied by rollcall: you have no active jobs on this node",
    .reason = "no-jobs",
};

static const rollcall_door_v1_DoorRequest CHOICE = {
    .version = 1,
    .phase = rollcall_door_v1_Phase_PHASE_ACCOUNT,
    .service = "sshd",
    .user = "alice",
    .uid = 1001,
    .local_address = {4, {10, 77, 0, 2}},
    .local_port = 22,
    .remote_address = {4, {10, 77, 0, 1}},
    .remote_port = 40001,
    .has_options = true,
    .options = {.choose = true},
    .patience_ms = 250,
    .remote_host = "10.77.0.1",
    .tty = "ssh",
    .which_choice = rollcall_door_v1_DoorRequest_chosen_job_id_tag,
    .choice = {.chosen_job_id = 42},
};

static const rollcall_door_v1_DoorReply OFFER = {
    .outcome = rollcall_door_v1_DoorOutcome_DOOR_OUTCOME_CHOOSE,
    .offered_jobs_count = 2,
    .offered_jobs = {{57, "since 2026-11-20 18:02"}, {42, "since 2026-11-20 17:40, suspended"}},
};

static uint8_t golden[FRAME_REPLY_MAX];
static uint8_t ours[FRAME_REPLY_MAX];

static void print_hex(const char *name, const uint8_t *bytes, size_t length)
{
    printf("# %s as it is encoded here:", name);
    for (size_t i = 0; i < length; i++)
        printf("%s%02x", i % 16 == 0 ? "\n#   " : " ", bytes[i]);
    printf("\n");
}

static void matches(const char *name, const char *directory, size_t length)
{
    char file[512];
    size_t golden_length;

    snprintf(file, sizeof file, "%s/%s", directory, name);
    golden_length = hex_read(file, golden, sizeof golden);
    if (!tap(length == golden_length && memcmp(ours, golden, length) == 0, "%s is encoded to the golden bytes", name))
        print_hex(name, ours, length);
}

static size_t encode_reply(const rollcall_door_v1_DoorReply *reply)
{
    pb_ostream_t stream = pb_ostream_from_buffer(ours + FRAME_HEADER, sizeof ours - FRAME_HEADER);

    if (!pb_encode(&stream, rollcall_door_v1_DoorReply_fields, reply))
        return 0;
    ours[0] = ours[1] = 0;
    ours[2] = (uint8_t)(stream.bytes_written >> 8);
    ours[3] = (uint8_t)stream.bytes_written;
    return FRAME_HEADER + stream.bytes_written;
}

/* The golden frame as the module reads it, encoded again, is the same: no field of it is lost. */
static void is_read_back(const char *name, size_t length)
{
    rollcall_door_v1_DoorReply reply = rollcall_door_v1_DoorReply_init_zero;
    struct problem problem = {""};

    tap(frame_expected(golden, length) == length && frame_decode(golden, length, &reply, &problem)
            && encode_reply(&reply) == length && memcmp(ours, golden, length) == 0,
        "%s is read whole", name);
}

int main(int count, char **arguments)
{
    const char *directory = count > 1 ? arguments[1] : "contract";
    size_t length;

    matches("request.hex", directory, frame_encode(&REQUEST, ours));
    matches("request-v6.hex", directory, frame_encode(&REQUEST_V6, ours));
    matches("request-choice.hex", directory, frame_encode(&CHOICE, ours));
    length = encode_reply(&REPLY);
    matches("reply.hex", directory, length);
    is_read_back("reply.hex", length);
    length = encode_reply(&SESSION);
    matches("reply-session.hex", directory, length);
    is_read_back("reply-session.hex", length);
    length = encode_reply(&REFUSAL);
    matches("reply-denied.hex", directory, length);
    is_read_back("reply-denied.hex", length);
    length = encode_reply(&OFFER);
    matches("reply-choose.hex", directory, length);
    is_read_back("reply-choose.hex", length);
    return tap_done();
}
