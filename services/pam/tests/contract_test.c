/* The golden frames and files of contract/: the agent's tests read the same files, so neither side can change the
 * protocol alone.
 */
#include <pb_encode.h>
#include <stdio.h>
#include <string.h>

#include "frame.h"
#include "hex.h"
#include "login_files.h"
#include "record.h"
#include "tap.h"

static const rollcall_loginsocket_v1_LoginRequest REQUEST = {
    .version = 1,
    .phase = rollcall_loginsocket_v1_Phase_PHASE_ACCOUNT,
    .service = "sshd",
    .user = "alice",
    .uid = 1001,
    .local_address = {4, {10, 77, 0, 2}},
    .local_port = 22,
    .remote_address = {4, {10, 77, 0, 1}},
    .remote_port = 40001,
    .has_options = true,
    .options = {.action_no_jobs = rollcall_loginsocket_v1_Choice_CHOICE_DENY,
                .action_unknown = rollcall_loginsocket_v1_Choice_CHOICE_NEWEST,
                .action_adopt_failure = rollcall_loginsocket_v1_Choice_CHOICE_DENY,
                .single_job_ask_caller = true,
                .disable_x11 = true,
                .stay_outside_container = true},
    .patience_ms = 250,
    .remote_host = "10.77.0.1",
    .tty = "ssh",
    .node_name = "node2",
    .mover = rollcall_loginsocket_v1_Mover_MOVER_MODULE,
};

static const rollcall_loginsocket_v1_LoginRequest REQUEST_V6 = {
    .version = 1,
    .phase = rollcall_loginsocket_v1_Phase_PHASE_OPEN_SESSION,
    .service = "sshd",
    .user = "bob",
    .uid = 1002,
    .local_address = {16, {0xfd, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}},
    .local_port = 2222,
    .remote_address = {16, {0xfd, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}},
    .remote_port = 65535,
    .has_options = true,
    .options = {.action_no_jobs = rollcall_loginsocket_v1_Choice_CHOICE_IGNORE,
                .action_unknown = rollcall_loginsocket_v1_Choice_CHOICE_ALLOW,
                .action_adopt_failure = rollcall_loginsocket_v1_Choice_CHOICE_ALLOW},
    .patience_ms = 1,
    .remote_host = "fd77::1",
    .tty = "ssh",
};

static const rollcall_loginsocket_v1_LoginReply REPLY = {
    .outcome = rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ADOPTED,
    .job_id = 42,
    .cgroup_path = "/rollcall.scope/job_42/step_extern/user/session_1",
    .environment_count = 2,
    .environment = {{.name = "SLURM_JOB_ID", .value = "42"}, {.name = "TMPDIR", .value = "/tmp"}},
    .adoption_id = "1",
    .reason = "caller-job",
};

static const rollcall_loginsocket_v1_LoginReply SESSION = {
    .outcome = rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ADOPTED,
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
    .namespaces = {rollcall_loginsocket_v1_NamespaceKind_NAMESPACE_KIND_IPC,
                   rollcall_loginsocket_v1_NamespaceKind_NAMESPACE_KIND_MOUNT},
    .rlimits_count = 2,
    .rlimits = {{7, 256, 1024}, {8, 0, UINT64_MAX}},
};

static const rollcall_loginsocket_v1_LoginReply REFUSAL = {
    .outcome = rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_DENIED,
    .message = "you have no active jobs on this node",
    .reason = "no-jobs",
};

static const rollcall_loginsocket_v1_LoginRequest CHOICE = {
    .version = 1,
    .phase = rollcall_loginsocket_v1_Phase_PHASE_ACCOUNT,
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
    .which_choice = rollcall_loginsocket_v1_LoginRequest_chosen_job_id_tag,
    .choice = {.chosen_job_id = 42},
};

static const rollcall_loginsocket_v1_LoginReply OFFER = {
    .outcome = rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_CHOOSE,
    .offered_jobs_count = 2,
    .offered_jobs = {{57, "since 2026-11-20 18:02"}, {42, "since 2026-11-20 17:40, suspended"}},
};

static const rollcall_loginsocket_v1_LoginReply JOIN = {
    .outcome = rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_JOIN,
    .job_id = 42,
    .adoption_id = "7-1",
    .reason = "newest-job",
    .detail = "the caller on node1 is in no job",
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

static size_t encode_reply(const rollcall_loginsocket_v1_LoginReply *reply)
{
    pb_ostream_t stream = pb_ostream_from_buffer(ours + FRAME_HEADER, sizeof ours - FRAME_HEADER);

    if (!pb_encode(&stream, rollcall_loginsocket_v1_LoginReply_fields, reply))
        return 0;
    ours[0] = ours[1] = 0;
    ours[2] = (uint8_t)(stream.bytes_written >> 8);
    ours[3] = (uint8_t)stream.bytes_written;
    return FRAME_HEADER + stream.bytes_written;
}

/* The golden frame as the module reads it, encoded again, is the same: no field of it is lost. */
static void is_read_back(const char *name, size_t length)
{
    rollcall_loginsocket_v1_LoginReply reply = rollcall_loginsocket_v1_LoginReply_init_zero;
    struct problem problem = {""};

    tap(frame_expected(golden, length) == length && frame_decode(golden, length, &reply, &problem)
            && encode_reply(&reply) == length && memcmp(ours, golden, length) == 0,
        "%s is read whole", name);
}

#define BOOT "5e1dca1f-6f4b-4c1b-9d4c-000000000001"

static const rollcall_login_v1_Node NODE = {
    .version = 1,
    .boot_id = BOOT,
    .cluster = "cluster",
    .node = "node1",
    .provider = rollcall_login_v1_Provider_PROVIDER_ROLLCALL,
    .knows_all_jobs = true,
    .complete = true,
};

static const rollcall_login_v1_Node SLURMS_NODE = {
    .version = 1,
    .boot_id = BOOT,
    .cluster = "cluster",
    .node = "node1",
    .provider = rollcall_login_v1_Provider_PROVIDER_SLURM,
    .ask = rollcall_login_v1_Ask_ASK_AUDIT_ONLY,
    .slurm_spool_directory = "/var/spool/slurmd",
    .denied_help = "https://hpc.example/ssh",
    .complete = true,
};

static const rollcall_login_v1_User USER = {
    .version = 1,
    .boot_id = BOOT,
    .uid = 2001,
    .jobs_count = 4,
    .jobs = {{.job_id = 41, .state = rollcall_login_v1_JobState_JOB_STATE_OPEN, .started_at_ns = 1795248000000000000},
             {.job_id = 40,
              .state = rollcall_login_v1_JobState_JOB_STATE_SUSPENDED,
              .started_at_ns = 1795248300000000001},
             {.job_id = UINT32_MAX,
              .state = rollcall_login_v1_JobState_JOB_STATE_CLOSING,
              .ask = rollcall_login_v1_Ask_ASK_USER_NAMESPACE},
             {.job_id = 7, .state = rollcall_login_v1_JobState_JOB_STATE_BEGINNING, .started_at_ns = -1}},
    .chosen_job_id = 40,
    .callers_count = 2,
    .callers = {{.has_connection = true,
                 .connection = {{4, {10, 77, 0, 2}}, 22, {4, {10, 77, 0, 1}}, 40001},
                 .job_id = 41,
                 .announced_at_ns = 1000000000000,
                 .valid_until_ns = 1150000000000},
                {.has_connection = true,
                 .connection = {{16, {0xfd, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}},
                                2222,
                                {16, {0xfd, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}},
                                65535},
                 .job_id = 40,
                 .chosen = true,
                 .announced_at_ns = UINT64_MAX,
                 .valid_until_ns = UINT64_MAX}},
    .more_callers = true,
    .complete = true,
};

static const rollcall_login_v1_User USER_OF_MANY = {
    .version = 1,
    .boot_id = BOOT,
    .uid = 4294967294,
    .ask = rollcall_login_v1_Ask_ASK_TOO_MANY_JOBS,
    .complete = true,
};

static const rollcall_login_v1_Job JOB = {
    .version = 1,
    .boot_id = BOOT,
    .job_id = 41,
    .uid = 2001,
    .ask = rollcall_login_v1_Ask_ASK_USER_NAMESPACE,
    .cgroups_count = 2,
    .cgroups = {{"freezer", "/sys/fs/cgroup/freezer/rollcall.scope/job_41/step_extern/user",
                 "/rollcall.scope/job_41/step_extern/user", false},
                {"memory", "/sys/fs/cgroup/memory/rollcall.scope/job_41/step_extern/user",
                 "/rollcall.scope/job_41/step_extern/user", false}},
    .has_gid = true,
    .gid = 0,
    .environment_count = 2,
    .environment = {{"SLURM_JOB_ID", "41"}, {"TMPDIR", "/tmp"}},
    .rlimits_count = 2,
    .rlimits = {{7, 1024, 4096}, {8, 0, UINT64_MAX}},
    .complete = true,
};

static const rollcall_login_v1_Job SLURMS_JOB = {
    .version = 1,
    .boot_id = BOOT,
    .job_id = 41,
    .uid = 2001,
    .cgroups_count = 1,
    .cgroups = {{"freezer", "/sys/fs/cgroup/freezer/slurm/uid_2001/job_41/step_extern",
                 "/slurm/uid_2001/job_41/step_extern", true}},
    .complete = true,
};

static const rollcall_login_v1_Record RECORD = {
    .version = 1,
    .boot_id = BOOT,
    .outcome = rollcall_login_v1_Outcome_OUTCOME_ADOPTED,
    .reason = "caller-job",
    .job_id = 4294967295,
    .uid = 2001,
    .user = "alice",
    .service = "sshd",
    .remote_host = "login1.example.org",
    .has_connection = true,
    .connection = {{4, {10, 77, 0, 2}}, 22, {4, {10, 77, 0, 1}}, 40001},
    .pid = 4242,
    .process_start = 123456,
    .cgroup_path = "/rollcall.scope/job_41/step_extern/user/session_7",
    .cgroup_hierarchy = "freezer",
    .agent_away = true,
    .decided_at_ns = 1795248000123456789,
    .took_ns = 1234567,
    .adoption_id = "5e1dca1f-1b2c3d",
    .phase = rollcall_login_v1_Phase_PHASE_ACCOUNT,
    .has_options = true,
    .options = {.action_unknown = rollcall_loginsocket_v1_Choice_CHOICE_DENY, .disable_x11 = true, .choose = true},
};

static const rollcall_login_v1_Record REFUSED = {
    .version = 1,
    .boot_id = BOOT,
    .outcome = rollcall_login_v1_Outcome_OUTCOME_DENIED,
    .reason = "no-jobs",
    .uid = 4294967294,
    .user = "nobody",
    .service = "sshd",
    .connection_problem = "no TCP connection",
    .pid = 1,
    .adoption_id = "5e1dca1f-2",
    .phase = rollcall_login_v1_Phase_PHASE_OPEN_SESSION,
};

static const rollcall_login_v1_Record DELEGATED = {
    .version = 1,
    .boot_id = BOOT,
    .outcome = rollcall_login_v1_Outcome_OUTCOME_ADOPTED,
    .reason = "newest-job",
    .job_id = 42,
    .uid = 2001,
    .user = "alice",
    .service = "sshd",
    .connection_problem = "no TCP connection",
    .pid = 4243,
    .process_start = 123457,
    .cgroup_path = "/rollcall.scope/job_42/step_extern/user/session_8",
    .adoption_id = "7-1",
    .phase = rollcall_login_v1_Phase_PHASE_ACCOUNT,
    .has_delegated = true,
    .delegated = {.detail = "no TCP connection; more", .move_ns = 345678},
};

/* As the log has them, one behind the other. */
static size_t encode_log(void)
{
    size_t length = record_encode(&RECORD, ours);

    length += record_encode(&REFUSED, ours + length);
    return length + record_encode(&DELEGATED, ours + length);
}

static size_t encode_file(const pb_msgdesc_t *fields, const void *message)
{
    pb_ostream_t stream = pb_ostream_from_buffer(ours, sizeof ours);

    return pb_encode(&stream, fields, message) ? stream.bytes_written : 0;
}

/* As is_read_back: the golden bytes are those that were matched last. */
static void is_file_read(const char *name, bool read, const pb_msgdesc_t *fields, const void *message, size_t length)
{
    tap(read && encode_file(fields, message) == length && memcmp(ours, golden, length) == 0, "%s is read whole", name);
}

static void files_of_node(const char *name, const char *directory, const rollcall_login_v1_Node *node)
{
    static rollcall_login_v1_Node found;
    struct problem problem = {""};
    size_t length = encode_file(rollcall_login_v1_Node_fields, node);

    matches(name, directory, length);
    is_file_read(name, login_decode_node(golden, length, BOOT, &found, &problem) == LOGIN_READ,
                 rollcall_login_v1_Node_fields, &found, length);
}

static void files_of_user(const char *name, const char *directory, const rollcall_login_v1_User *user)
{
    static rollcall_login_v1_User found;
    struct problem problem = {""};
    size_t length = encode_file(rollcall_login_v1_User_fields, user);

    matches(name, directory, length);
    is_file_read(name, login_decode_user(golden, length, BOOT, user->uid, &found, &problem) == LOGIN_READ,
                 rollcall_login_v1_User_fields, &found, length);
}

static void files_of_job(const char *name, const char *directory, const rollcall_login_v1_Job *job)
{
    static rollcall_login_v1_Job found;
    struct problem problem = {""};
    size_t length = encode_file(rollcall_login_v1_Job_fields, job);

    matches(name, directory, length);
    is_file_read(name, login_decode_job(golden, length, BOOT, job->uid, job->job_id, &found, &problem) == LOGIN_READ,
                 rollcall_login_v1_Job_fields, &found, length);
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
    length = encode_reply(&JOIN);
    matches("reply-join.hex", directory, length);
    is_read_back("reply-join.hex", length);
    files_of_node("login-node.hex", directory, &NODE);
    files_of_node("login-node-slurm.hex", directory, &SLURMS_NODE);
    files_of_user("login-user.hex", directory, &USER);
    files_of_user("login-user-too-many.hex", directory, &USER_OF_MANY);
    files_of_job("login-job.hex", directory, &JOB);
    files_of_job("login-job-slurm.hex", directory, &SLURMS_JOB);
    matches("record.hex", directory, encode_log());
    return tap_done();
}
