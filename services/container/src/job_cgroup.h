/* Which processes belong to a task of the job that this process is in, by the lines of /proc/PID/cgroup. */
#ifndef ROLLCALL_JOB_CGROUP_H
#define ROLLCALL_JOB_CGROUP_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* In the hierarchy that has the job's steps: its line up to the job's cgroup, as in "7:freezer:/rollcall/job_42". */
struct job_cgroup {
    char line[PATH_MAX];
};

/* From the text of /proc/self/cgroup. False: this process is in no step of a job. */
bool job_cgroup_of(struct job_cgroup *job, const char *text);

/* Whether a process with this text is in a step of the job other than step_extern, where sessions are. Then the step's
 * name is in step, as in "step_0". */
bool job_cgroup_has_task(const struct job_cgroup *job, const char *text, char *step, size_t size);

#endif
