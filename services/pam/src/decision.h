/* What becomes of a login, by the agent's files. The same as dev.rollcall.model.AdoptPolicy decides, or: ask the agent.
 */
#ifndef ROLLCALL_DECISION_H
#define ROLLCALL_DECISION_H

#include <stdbool.h>
#include <stdint.h>

#include "connection.h"
#include "login_files.h"
#include "options.h"

/* A pending caller is the caller of a process that started at most this long before or after its announcement. A later
 * call with the same ends is another one's. */
#define DECISION_FRESH_NS 2000000000ULL

/* The reasons of the newest of several jobs: the caller is not known, or is in none of them. The agent sends the same
 * words. */
#define DECISION_GUESSED "newest-job"
#define DECISION_ELSEWHERE "caller-elsewhere"

enum decision_kind {
    DECISION_ASK, /* the files do not decide */
    DECISION_JOIN,
    DECISION_ALLOW, /* let in without a job */
    DECISION_REFUSE,
    DECISION_STEP_ASIDE,
};

struct decision {
    enum decision_kind kind;
    /* The job to join, or the one that the refusal is about; else 0. */
    uint64_t job_id;
    /* A word of docs/adoption.md, e.g. "caller-job"; of DECISION_ASK why, for the log. */
    const char *reason;
    /* One line for the user, of DECISION_REFUSE alone; else "". */
    char message[256];
    /* No agent was there as the files were read. */
    bool agent_away;
};

/* A function of its arguments alone. The user is one to whom the options apply (visit.h): root, or another service,
 * does not come here. connection: as sshd sees it, or NULL if it is not known; process_start_ns: when the process that
 * serves it started, and now_ns, by CLOCK_BOOTTIME. */
struct decision login_decide(const struct login_facts *facts, const struct connection *connection,
                             uint64_t process_start_ns, uint64_t now_ns, const struct options *options);

/* The same word of static storage, if it is a reason to join a job, else NULL. */
const char *decision_reason_to_join(const char *word);

#endif
