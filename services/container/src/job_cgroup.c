#include "job_cgroup.h"

#include <stdio.h>
#include <string.h>

#define STEP "/step_"
#define SESSIONS "step_extern"

bool job_cgroup_of(struct job_cgroup *job, const char *text)
{
    for (const char *line = text; *line != '\0';) {
        const char *end = line + strcspn(line, "\n");
        const char *step = strstr(line, STEP);

        if (step != NULL && step < end && (size_t)(step - line) < sizeof job->line) {
            memcpy(job->line, line, (size_t)(step - line));
            job->line[step - line] = '\0';
            return true;
        }
        line = *end == '\n' ? end + 1 : end;
    }
    return false;
}

bool job_cgroup_has_task(const struct job_cgroup *job, const char *text, char *step, size_t size)
{
    size_t length = strlen(job->line);

    for (const char *line = text; *line != '\0';) {
        const char *end = line + strcspn(line, "\n");

        if (strncmp(line, job->line, length) == 0 && strncmp(line + length, STEP, strlen(STEP)) == 0) {
            const char *name = line + length + 1;

            snprintf(step, size, "%.*s", (int)strcspn(name, "/\n"), name);
            return strcmp(step, SESSIONS) != 0;
        }
        line = *end == '\n' ? end + 1 : end;
    }
    return false;
}
