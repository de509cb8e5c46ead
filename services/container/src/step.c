#include "step.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "complaint.h"
#include "inheritance.h"
#include "relay.h"
#include "terminal.h"

/* How often to look whether this process is in the foreground again, or a terminal is open again. No signal says it. */
#define AGAIN_MS 200

struct step {
    const struct step_options *options;
    struct terminal terminal;
    pid_t child;
    int signals;
};

static bool enter_cgroups(const struct step_options *options, struct problem *problem)
{
    bool entered = true;

    for (size_t i = 0; entered && i < options->procs_count; i++) {
        int file = open(options->procs[i], O_WRONLY | O_CLOEXEC);

        entered = file >= 0 && write(file, "0", 1) == 1;
        if (!entered)
            problem_set(problem, "cannot enter %.160s: %m", options->procs[i]);
        if (file >= 0)
            close(file);
    }
    return entered;
}

static void keep_variables(const struct step_options *options)
{
    char **kept = environ;

    for (char **each = environ; *each != NULL; each++) {
        if (step_options_keeps(options, *each))
            *kept++ = *each;
    }
    *kept = NULL;
}

static int become(const struct step_options *options, struct problem *problem)
{
    struct command command = {.program = options->command[0], .words = options->command};

    if (!inheritance_new_keyring(problem) || !enter_cgroups(options, problem))
        return EXIT_NOT_ENTERED;
    return relay_become(&command, problem);
}

/* Without a controlling terminal, and in a session of its own, this process can be the command itself. */
static bool is_alone(const struct terminal *terminal)
{
    int controlling;

    if (terminal->outer >= 0)
        return false;
    controlling = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (controlling >= 0)
        close(controlling);
    return controlling < 0 && errno == ENXIO && (getsid(0) == getpid() || setsid() >= 0);
}

static _Noreturn void be_child(const struct step *step, const sigset_t *mask)
{
    struct problem problem = {""};
    int status = EXIT_NOT_ENTERED;

    setsid();
    if (terminal_join(&step->terminal, &problem)) {
        sigprocmask(SIG_SETMASK, mask, NULL);
        status = become(step->options, &problem);
    }
    complaint_write("rollcall-step", problem.text);
    _exit(status);
}

/* A signal of the terminal is for all that it would have reached: the group in the foreground. */
static void pass(const struct step *step, const struct signalfd_siginfo *info)
{
    int signal = (int)info->ssi_signo;
    pid_t group = step->child;

    if (signal == SIGTSTP)
        signal = SIGSTOP; /* a group whose parents are in another session does not stop by SIGTSTP (setpgid(2)) */
    if (info->ssi_code <= 0) {
        kill(step->child, signal);
        return;
    }
    if (step->terminal.master >= 0)
        ioctl(step->terminal.master, TIOCGPGRP, &group);
    kill(-(group > 0 ? group : step->child), signal);
}

static void hear(struct step *step)
{
    struct signalfd_siginfo info;

    if (read(step->signals, &info, sizeof info) != (ssize_t)sizeof info)
        return;
    switch (info.ssi_signo) {
    case SIGCHLD:
    case SIGTTIN:
    case SIGTTOU:
        return;
    case SIGWINCH:
        terminal_resize(&step->terminal);
        return;
    default:
        pass(step, &info);
    }
}

/* The caller's shell sees this process stop with the command, and continues both. */
static void stop(struct step *step)
{
    terminal_restore(&step->terminal);
    kill(getpid(), SIGSTOP);
    terminal_resize(&step->terminal);
    kill(-step->child, SIGCONT);
}

static bool has_ended(struct step *step, int *status)
{
    pid_t found;

    while ((found = waitpid(step->child, status, WNOHANG | WUNTRACED)) == step->child && WIFSTOPPED(*status))
        stop(step);
    return found == step->child;
}

static void wait_and_copy(struct step *step)
{
    struct terminal *terminal = &step->terminal;
    bool listening = terminal_listen(terminal);
    struct pollfd all[] = {
        {.fd = step->signals, .events = POLLIN},
        {.fd = terminal->silent ? -1 : terminal->master,
         .events = (short)(POLLIN | (terminal->waiting > 0 ? POLLOUT : 0))},
        {.fd = listening && terminal->waiting == 0 ? terminal->outer : -1, .events = POLLIN},
    };
    int found = poll(all, 3, (terminal->read && !listening) || terminal->silent ? AGAIN_MS : -1);

    terminal->silent = false;
    if (found <= 0)
        return;
    if (all[0].revents != 0)
        hear(step);
    if ((all[1].revents & POLLOUT) != 0)
        terminal_give_input(terminal);
    if ((all[1].revents & (POLLIN | POLLHUP)) != 0)
        terminal_copy_output(terminal);
    if (all[2].revents != 0)
        terminal_take_input(terminal);
}

static int stay_beside(struct step *step, struct problem *problem)
{
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t all;
    sigset_t mask;
    int status = 0;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &mask);
    sigaction(SIGCHLD, &usual, NULL);
    step->signals = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
    step->child = step->signals < 0 ? -1 : fork();
    if (step->child < 0) {
        problem_set(problem, "cannot make a process: %m");
        return EXIT_NOT_ENTERED;
    }
    if (step->child == 0)
        be_child(step, &mask);
    if (step->terminal.slave >= 0)
        close(step->terminal.slave);
    while (!has_ended(step, &status))
        wait_and_copy(step);
    terminal_finish(&step->terminal);
    return relay_end_as(status);
}

int step_run(const struct step_options *options, struct problem *problem)
{
    struct step step = {.options = options};

    keep_variables(options);
    if (!inheritance_close(problem) || !terminal_open(&step.terminal, options->owner, problem))
        return EXIT_NOT_ENTERED;
    return is_alone(&step.terminal) ? become(options, problem) : stay_beside(&step, problem);
}
