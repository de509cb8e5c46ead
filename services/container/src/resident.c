#include "resident.h"

#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loopback.h"
#include "talk.h"
#include "title.h"

/* More descriptors than the launcher can have open are not looked for where the kernel has no close_range(2) (before
 * Linux 5.9). */
#define DESCRIPTORS_SEARCHED 4096

static void close_from(unsigned first, unsigned last)
{
    if (first > last || syscall(SYS_close_range, first, last, 0) == 0)
        return;
    for (unsigned fd = first; fd <= last && fd < DESCRIPTORS_SEARCHED; fd++)
        close((int)fd);
}

/* The launcher's stdin and stdout are the agent's pipes: as long as one is open here, the agent does not see the
 * launcher end. */
static void let_go_of_descriptors(const struct resident *resident)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        dup2(resident->null, fd);
    close_from(STDERR_FILENO + 1, (unsigned)resident->line - 1);
    close_from((unsigned)resident->line + 1, ~0U);
}

/* Nobody may trace a process that cannot be dumped, or open its namespaces, except processes that may trace in the
 * user namespace in which the program was begun (ptrace(2)): not even the owner of the new user namespace. */
static void guard(void)
{
    prctl(PR_SET_DUMPABLE, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* Root of the namespace, where its maps have a root: with the map of all users to themselves it is the node's root,
 * whom no job's user can signal. Where they have none it stays what it is. Changing users takes the death signal away
 * (prctl(2)). */
static void become_root(void)
{
    int refused = setgroups(0, NULL) | setresgid(0, 0, 0) | setresuid(0, 0, 0);

    (void)refused;
    guard();
}

/* Private first: a mount of the node that shares with M's would get this one, too. */
static bool mount_proc(struct problem *problem)
{
    if (mount(NULL, "/proc", NULL, MS_PRIVATE, NULL) < 0)
        return problem_set(problem, "cannot make /proc private in the job's mount namespace: %m");
    if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0)
        return problem_set(problem, "cannot mount /proc in the job's mount namespace: %m");
    return true;
}

/* It has no more to do that needs any right. */
static void drop_rights(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};

    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    syscall(SYS_capset, &header, none);
}

/* Process 1 of a pid namespace gets no signal that it has no handler for, SIGKILL and SIGSTOP from outside apart
 * (pid_namespaces(7)). */
_Noreturn static void reap(void)
{
    sigset_t children;

    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_BLOCK, &children, NULL);
    for (;;) {
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
        sigwaitinfo(&children, NULL);
    }
}

static void must_hear(const struct resident *resident, enum word word)
{
    if (talk_hear(resident->line) != word)
        _exit(1);
}

static void report(const struct resident *resident, const struct problem *problem)
{
    talk_report(resident->line, problem);
    if (problem->text[0] != '\0')
        _exit(1);
}

_Noreturn void resident_live(const struct resident *resident)
{
    struct problem problem = {""};
    bool stays = (resident->flags & CLONE_NEWPID) != 0;

    guard();
    let_go_of_descriptors(resident);
    setsid();
    umask(077);
    title_set(resident->title, resident->word_count, resident->words);
    if ((resident->flags & CLONE_NEWNET) != 0)
        loopback_up(&problem);
    report(resident, &problem);
    must_hear(resident, WORD_GO);
    if ((resident->flags & CLONE_NEWUSER) != 0)
        become_root();
    if (stays && (chdir("/") < 0 || !mount_proc(&problem)))
        report(resident, &problem);
    drop_rights();
    /* From here on the launcher's end is noticed by the line alone. */
    prctl(PR_SET_PDEATHSIG, 0);
    report(resident, &problem);
    must_hear(resident, WORD_STAY);
    close(resident->line);
    if (!stays)
        _exit(0);
    reap();
}
