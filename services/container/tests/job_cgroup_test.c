/* Which processes belong to a task of this process's job. */
#include <string.h>

#include "job_cgroup.h"
#include "tap.h"

static struct job_cgroup job;
static char step[16];

static void is_task(const char *text, const char *name)
{
    tap(job_cgroup_has_task(&job, text, step, sizeof step) && strcmp(step, name) == 0, "%.*s is in a task",
        (int)strcspn(text, "\n"), text);
}

static void is_none(const char *text)
{
    tap(!job_cgroup_has_task(&job, text, step, sizeof step), "%.*s is in none", (int)strcspn(text, "\n"), text);
}

int main(void)
{
    tap(job_cgroup_of(&job, "0::/rollcall.scope/job_42/step_extern/user/3\n")
            && strcmp(job.line, "0::/rollcall.scope/job_42") == 0,
        "the job is above the step");
    is_task("0::/rollcall.scope/job_42/step_0/user/task_0\n", "step_0");
    is_task("1:cpu:/\n0::/rollcall.scope/job_42/step_batch", "step_batch");
    is_none("0::/rollcall.scope/job_42/step_extern/user/4\n");
    is_none("0::/rollcall.scope/job_42\n");
    is_none("0::/rollcall.scope/job_42/other/step_0\n");
    is_none("0::/rollcall.scope/job_421/step_0\n");
    is_none("0::/../job_43/step_0\n");
    is_none("1:freezer:/rollcall.scope/job_42/step_0\n");
    is_none("0::/rollcall.scope/job_4");
    is_none("");
    tap(job_cgroup_of(&job, "9:name=systemd:/\n6:freezer:/slurm/uid_7/job_42/step_extern\n0::/\n")
            && strcmp(job.line, "6:freezer:/slurm/uid_7/job_42") == 0,
        "the hierarchy is the one that has steps");
    is_task("9:name=systemd:/\n6:freezer:/slurm/uid_7/job_42/step_0\n0::/\n", "step_0");
    is_none("7:memory:/slurm/uid_7/job_42/step_0\n6:freezer:/\n");
    tap(job_cgroup_of(&job, "0::/step_extern/user/1\n"), "the job can be the root of a cgroup namespace");
    is_task("0::/step_1/user/task_0\n", "step_1");
    is_none("0::/../job_43/step_1\n");
    tap(!job_cgroup_of(&job, "0::/user.slice\n1:cpu:/\n"), "a process outside of steps is in no job");
    tap(!job_cgroup_of(&job, ""), "nor is one without cgroups");
    return tap_done();
}
