/* Answers cases, one a line, on its standard output. An empty line is answered by one: everything before it is written.
 * decide DIRECTORY UID: what the files there say of that user, and whether the agent lives, for the tests of the
 * writer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "login_files.h"

static char line[65536];

static int answer_all(void)
{
    char answer[256];

    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '\0') {
            putchar('\n');
            fflush(stdout);
            continue;
        }
        puts(case_answer(line, answer, sizeof answer) ? answer : "not a case");
    }
    return 0;
}

static void show_user(const rollcall_login_v1_User *user)
{
    printf("user ask=%d chosen=%llu more=%d\n", (int)user->ask, (unsigned long long)user->chosen_job_id,
           user->more_callers);
    for (pb_size_t i = 0; i < user->jobs_count; i++)
        printf("job %llu %d %lld %d\n", (unsigned long long)user->jobs[i].job_id, (int)user->jobs[i].state,
               (long long)user->jobs[i].started_at_ns, (int)user->jobs[i].ask);
    for (pb_size_t i = 0; i < user->callers_count; i++)
        printf("caller %llu %d port %u\n", (unsigned long long)user->callers[i].job_id, user->callers[i].chosen,
               (unsigned)user->callers[i].connection.remote_port);
}

static void show_jobs(struct login_files *files, const rollcall_login_v1_User *user)
{
    static rollcall_login_v1_Job job;
    struct problem problem = {""};

    for (pb_size_t i = 0; i < user->jobs_count; i++) {
        uint64_t id = user->jobs[i].job_id;

        if (login_read_job(files, user->uid, id, &job, &problem) == LOGIN_READ)
            printf("file of job %llu: gid %u, %u cgroups, %u variables\n", (unsigned long long)id, (unsigned)job.gid,
                   (unsigned)job.cgroups_count, (unsigned)job.environment_count);
        else
            printf("no file of job %llu: %s\n", (unsigned long long)id, problem.text);
    }
}

int main(int count, char **arguments)
{
    static struct login_files files;
    static struct login_facts facts;
    struct problem problem = {""};
    enum login_reading reading;

    if (count != 3)
        return answer_all();
    reading = login_open(&files, arguments[1], &problem);
    if (reading == LOGIN_READ)
        reading = login_read(&files, (uint32_t)strtoul(arguments[2], NULL, 10), &facts, &problem);
    if (reading != LOGIN_READ) {
        printf("reading %d: %s\n", (int)reading, problem.text);
        return 0;
    }
    printf("agent %s, node %s of %s, ask=%d, complete=%d\n", facts.agent_alive ? "alive" : "away", facts.node.node,
           facts.node.cluster, (int)facts.node.ask, facts.node.knows_all_jobs);
    if (!facts.has_user) {
        puts("no user");
        return 0;
    }
    show_user(&facts.user);
    show_jobs(&files, &facts.user);
    return 0;
}
