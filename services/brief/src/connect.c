#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "call.h"
#include "carry.h"
#include "dial.h"
#include "words.h"

static bool ask(const struct options *options, const char *name, struct failure *failure)
{
    static struct writing request;
    const struct method method = {.name = name};
    struct bytes answer;

    request = (struct writing){.length = 0};
    protobuf_put_number(&request, 1, options->job);
    return call_agent(options->socket, &method, &request, (uint32_t)options->timeout * 1000, &answer, failure);
}

/* Both reasons are cut, so that the line has room for what to do instead. The second may be empty. */
static void refuse(const struct options *options, const char *first, const char *second, struct failure *failure)
{
    static char why[8192];

    snprintf(why, sizeof why, "%.4000s%s%.4000s", first, second[0] == '\0' ? "" : ", and ", second);
    failure_set(
        failure, failure->status,
        "cannot call from job %u: %s. Omit --job, and %s decides; or choose there, by rollcall switch --next %u",
        (unsigned)options->job, why, options->host, (unsigned)options->job);
}

/* The call is the job's, since the kernel notes the caller's cgroup as it connects. Where the job is elsewhere, what
 * this process calls from now on asks for it. */
static bool enter(const struct options *options, struct failure *failure)
{
    static struct failure not_here;

    if (ask(options, "rollcall.v1.AdoptionService/Adopt", failure))
        return true;
    if (failure->status != STATUS_NOT_FOUND) {
        refuse(options, failure->line, "", failure);
        return false;
    }
    not_here = *failure;
    if (ask(options, "rollcall.v1.AdoptionService/ChooseForCall", failure)) {
        failure->status = STATUS_OK;
        return true;
    }
    refuse(options, not_here.line, failure->line, failure);
    return false;
}

enum outcome connect_run(const struct options *options, struct failure *failure)
{
    const char *why = "";
    int connection;
    bool carried;

    signal(SIGPIPE, SIG_IGN);
    if (options->job != 0 && !enter(options, failure))
        return OUTCOME_FAILED;
    connection = dial(options->host, options->port, options->within.milliseconds, failure);
    if (connection < 0)
        return OUTCOME_FAILED;
    fcntl(connection, F_SETFL, fcntl(connection, F_GETFL) & ~O_NONBLOCK);
    carried = carry(connection, STDIN_FILENO, STDOUT_FILENO, &why);
    if (!carried)
        failure_set(failure, STATUS_FAILED, "the connection to %s broke: %s", options->host, why);
    return carried ? OUTCOME_PRINTED : OUTCOME_FAILED;
}
