#include "file_reply.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "namespaces.h"

static bool is_put(const rollcall_loginsocket_v1_LoginReply *reply, const char *name)
{
    for (pb_size_t i = 0; i < reply->environment_count; i++) {
        if (strcmp(reply->environment[i].name, name) == 0)
            return true;
    }
    return false;
}

static void add(rollcall_loginsocket_v1_LoginReply *reply, const char *name, const char *value)
{
    rollcall_loginsocket_v1_EnvironmentVariable *variable;

    if (reply->environment_count == sizeof reply->environment / sizeof *reply->environment)
        return;
    variable = &reply->environment[reply->environment_count++];
    snprintf(variable->name, sizeof variable->name, "%s", name);
    snprintf(variable->value, sizeof variable->value, "%s", value);
}

void file_reply_put(rollcall_loginsocket_v1_LoginReply *reply, const char *name, const char *value)
{
    if (!is_put(reply, name))
        add(reply, name, value);
}

/* Parts of a value that follow its first one have no name. */
void file_reply_put_all(rollcall_loginsocket_v1_LoginReply *reply, const rollcall_login_v1_Variable *variables,
                        size_t count)
{
    bool taken = false;

    for (size_t i = 0; i < count; i++) {
        if (variables[i].name[0] != '\0')
            taken = !is_put(reply, variables[i].name);
        if (taken)
            add(reply, variables[i].name, variables[i].value);
    }
}

void file_reply_begin(rollcall_loginsocket_v1_LoginReply *reply, rollcall_loginsocket_v1_ReplyOutcome outcome,
                      const char *reason)
{
    reply->outcome = outcome;
    reply->message[0] = '\0';
    reply->job_id = 0;
    reply->cgroup_path[0] = '\0';
    reply->cgroup_hierarchy[0] = '\0';
    reply->adoption_id[0] = '\0';
    snprintf(reply->reason, sizeof reply->reason, "%s", reason);
    reply->has_gid = false;
    reply->environment_count = 0;
    reply->namespaces_count = 0;
    reply->rlimits_count = 0;
    reply->offered_jobs_count = 0;
}

void file_reply_with_job(const rollcall_login_v1_Job *job, const struct place *place, const char *reason,
                         rollcall_loginsocket_v1_LoginReply *reply)
{
    char number[24];

    file_reply_begin(reply, rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_ADOPTED, reason);
    reply->job_id = job->job_id;
    snprintf(reply->cgroup_path, sizeof reply->cgroup_path, "%.511s", place->path); /* shorter: file_login.c */
    snprintf(reply->cgroup_hierarchy, sizeof reply->cgroup_hierarchy, "%s", place->hierarchy);
    reply->has_gid = job->has_gid;
    reply->gid = job->gid;
    snprintf(number, sizeof number, "%llu", (unsigned long long)job->job_id);
    file_reply_put(reply, "SLURM_JOB_ID", number);
}

static bool open_namespaces(const rollcall_login_v1_Job *job, rollcall_loginsocket_v1_LoginReply *reply,
                            struct descriptors *descriptors, struct problem *problem)
{
    for (pb_size_t i = 0; i < job->namespace_files_count; i++) {
        int fd = open(job->namespace_files[i], O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

        if (fd >= 0)
            descriptors->fds[descriptors->count++] = fd;
        if (fd < 0 || !namespaces_kind(fd, &reply->namespaces[i])) {
            problem_set(problem, "cannot use the namespace %.160s: %m", job->namespace_files[i]);
            descriptors_close(descriptors);
            return false;
        }
        reply->namespaces_count++;
    }
    return true;
}

bool file_reply_add_session(const struct visit *visit, const rollcall_login_v1_Job *job,
                            rollcall_loginsocket_v1_LoginReply *reply, struct descriptors *descriptors,
                            struct problem *problem)
{
    reply->rlimits_count = job->rlimits_count;
    for (pb_size_t i = 0; i < job->rlimits_count; i++)
        reply->rlimits[i] = (rollcall_loginsocket_v1_SessionRlimit){
            .resource = job->rlimits[i].resource, .soft = job->rlimits[i].soft, .hard = job->rlimits[i].hard};
    if (!visit->options.join_container)
        return true;
    file_reply_put_all(reply, job->namespace_environment, job->namespace_environment_count);
    return open_namespaces(job, reply, descriptors, problem);
}

void file_reply_deny_half_moved(uint64_t job_id, rollcall_loginsocket_v1_LoginReply *reply)
{
    file_reply_begin(reply, rollcall_loginsocket_v1_ReplyOutcome_REPLY_OUTCOME_DENIED, "adopt-failure");
    reply->job_id = job_id;
    snprintf(reply->message, sizeof reply->message, "job %llu was entered in part", (unsigned long long)job_id);
}
