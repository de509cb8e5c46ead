#include "relay.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "complaint.h"

int relay_become(const struct command *command, struct problem *problem)
{
    int status;

    execvp(command->program, command->words);
    status = errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUN;
    problem_set(problem, "cannot run %.120s: %m", command->program);
    return status;
}

/* What the terminal sends goes to the child, too, which is in the same process group (or in the one that the terminal
 * now belongs to). */
static bool came_to_both(const siginfo_t *info)
{
    switch (info->si_signo) {
    case SIGINT:
    case SIGQUIT:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
    case SIGWINCH:
        return info->si_code > 0;
    default:
        return false;
    }
}

/* A core file is the child's to leave. */
int relay_end_as(int status)
{
    struct rlimit none = {0, 0};
    sigset_t one;

    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    setrlimit(RLIMIT_CORE, &none);
    signal(WTERMSIG(status), SIG_DFL);
    sigemptyset(&one);
    sigaddset(&one, WTERMSIG(status));
    kill(getpid(), WTERMSIG(status));
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    return 128 + WTERMSIG(status);
}

/* True with the status once the child has ended. Who waits for this process sees it stop with the child, and continues
 * both. */
static bool has_ended(pid_t child, int *status)
{
    pid_t found;

    while ((found = waitpid(child, status, WNOHANG | WUNTRACED)) == child && WIFSTOPPED(*status)) {
        kill(getpid(), SIGSTOP);
        kill(child, SIGCONT);
    }
    return found == child;
}

static int follow(pid_t child, const sigset_t *signals)
{
    int status = 0;

    while (!has_ended(child, &status)) {
        siginfo_t info;

        if (sigwaitinfo(signals, &info) > 0 && info.si_signo != SIGCHLD && !came_to_both(&info))
            kill(child, info.si_signo);
    }
    return relay_end_as(status);
}

int relay_run(const struct command *command, struct problem *problem)
{
    struct sigaction usual = {.sa_handler = SIG_DFL};
    struct sigaction before;
    sigset_t all;
    sigset_t mask;
    pid_t child;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &mask);
    sigaction(SIGCHLD, &usual, &before);
    child = fork();
    if (child < 0) {
        problem_set(problem, "cannot make a process in the job's pid namespace: %m");
        return EXIT_NOT_ENTERED;
    }
    if (child == 0) {
        int status;

        prctl(PR_SET_PDEATHSIG, SIGKILL);
        sigaction(SIGCHLD, &before, NULL);
        sigprocmask(SIG_SETMASK, &mask, NULL);
        status = relay_become(command, problem);
        complaint_write("rollcall-enter", problem->text);
        _exit(status);
    }
    return follow(child, &all);
}
