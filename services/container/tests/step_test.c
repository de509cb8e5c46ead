/* rollcall-step: what the command of a step has of the terminal, the descriptors, the keys and the variables of the
 * shell that started it. This program is also the command: its first word says what it does. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "deadline.h"
#include "play.h"
#include "scene.h"
#include "tap.h"

#define PATIENCE_MS 5000
#define OWNER 54321

static const char *step;
static const char *self;

/* A shell of root's on a terminal, which runs rollcall-step as its only job. */
struct outer {
    int master;
    dev_t terminal;
    pid_t pid; /* of rollcall-step, the leader of the session */
    char text[262144];
    size_t length;
    int status;
};

static struct outer outer;

static _Noreturn void be_shell(int slave, int input, char *const *words)
{
    must(setsid(), "setsid");
    must(ioctl(slave, TIOCSCTTY, 0), "TIOCSCTTY");
    dup2(input < 0 ? slave : input, STDIN_FILENO);
    dup2(slave, STDOUT_FILENO);
    dup2(slave, STDERR_FILENO);
    must(open("/etc/shadow", O_RDONLY), "/etc/shadow");
    execv(words[0], words);
    perror(words[0]);
    _exit(99);
}

/* The command is a word for this program, run by rollcall-step on a new terminal of 30 times 90. */
static void begin_with(const char *word, int input)
{
    char *words[] = {(char *)step, "--uid", "54321", "--", (char *)self, (char *)word, NULL};
    struct winsize size = {.ws_row = 30, .ws_col = 90};
    struct stat found;
    int slave;

    memset(&outer, 0, sizeof outer);
    outer.master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    must(outer.master, "posix_openpt");
    must(unlockpt(outer.master), "unlockpt");
    slave = ioctl(outer.master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    must(slave, "TIOCGPTPEER");
    must(fstat(slave, &found), "fstat");
    outer.terminal = found.st_rdev;
    must(ioctl(outer.master, TIOCSWINSZ, &size), "TIOCSWINSZ");
    outer.pid = fork();
    must(outer.pid, "fork");
    if (outer.pid == 0)
        be_shell(slave, input, words);
    /* The shell's own: what is put in front of it must not get lost when rollcall-step ends. */
    outer.status = slave;
}

static void begin(const char *word)
{
    begin_with(word, -1);
}

/* Whether the terminal showed the text, within five seconds. */
static bool shows(const char *text)
{
    struct deadline deadline = deadline_in(PATIENCE_MS);
    struct pollfd one = {.fd = outer.master, .events = POLLIN};

    while (strstr(outer.text, text) == NULL && outer.length + 1 < sizeof outer.text
           && poll(&one, 1, deadline_left(deadline)) == 1) {
        ssize_t got = read(outer.master, outer.text + outer.length, sizeof outer.text - 1 - outer.length);

        if (got <= 0)
            break;
        outer.length += (size_t)got;
        outer.text[outer.length] = '\0';
    }
    if (strstr(outer.text, text) != NULL)
        return true;
    tap_say("the terminal shows: %.300s", outer.text);
    return false;
}

static void type(const char *text)
{
    must((int)write(outer.master, text, strlen(text)), "write to the terminal");
}

/* How many bytes root's shell would read next, and whether its terminal is as before. */
static int end(void)
{
    int slave = outer.status;
    int waiting = -1;
    struct termios settings;

    outer.status = await_end(outer.pid, PATIENCE_MS);
    must(tcgetattr(slave, &settings), "tcgetattr");
    tap((settings.c_lflag & (tcflag_t)(ICANON | ECHO | ISIG)) == (ICANON | ECHO | ISIG)
            && (settings.c_oflag & (tcflag_t)OPOST) != 0,
        "the terminal has its settings again");
    settings.c_lflag &= ~(tcflag_t)ICANON; /* so that the count has lines without an end, too */
    tcsetattr(slave, TCSANOW, &settings);
    ioctl(slave, FIONREAD, &waiting);
    tap_say("%d bytes are left for the shell", waiting);
    close(slave);
    return waiting;
}

static bool exited(int status)
{
    if (outer.status >= 0 && WIFEXITED(outer.status) && WEXITSTATUS(outer.status) == status)
        return true;
    tap_say("status %#x, shown: %.300s", (unsigned)outer.status, outer.text);
    return false;
}

/* How many processes but this one have the terminal open. */
static int holders(dev_t terminal)
{
    DIR *all = opendir("/proc");
    struct dirent *entry;
    int count = 0;

    while ((entry = readdir(all)) != NULL) {
        char path[64];
        DIR *open_files;
        struct dirent *file;

        snprintf(path, sizeof path, "/proc/%.20s/fd", entry->d_name);
        if (atoi(entry->d_name) <= 1 || (open_files = opendir(path)) == NULL)
            continue;
        while ((file = readdir(open_files)) != NULL) {
            struct stat found;

            if (fstatat(dirfd(open_files), file->d_name, &found, 0) == 0 && S_ISCHR(found.st_mode))
                count += found.st_rdev == terminal;
        }
        closedir(open_files);
    }
    closedir(all);
    return count;
}

static void finish(void)
{
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
    close(outer.master);
}

static void has_another_terminal(void)
{
    char other[64];

    begin("where");
    tap(shows("of 54321 size 30 90 leader controlling"), "the command leads a session on a terminal of its owner");
    snprintf(other, sizeof other, "tty %u:%u ", major(outer.terminal), minor(outer.terminal));
    tap(strstr(outer.text, "tty ") != NULL && strstr(outer.text, other) == NULL, "which is not root's");
    tap(end() == 0 && exited(7), "its exit status is passed on");
    finish();
}

static void cannot_type_for_root(void)
{
    begin("push");
    tap(shows("pushed 0"), "a command with all rights puts a line into its own terminal");
    tap(end() == 0 && exited(0), "and root's shell reads nothing of it");
    finish();
}

static void leaves_nothing_at_the_terminal(void)
{
    char named[32];
    const char *number;

    begin("stay");
    tap(shows("stays "), "a command leaves a process");
    end();
    close(STDIN_FILENO);
    open("/dev/null", O_RDWR);
    number = strstr(outer.text, "stays ");
    snprintf(named, sizeof named, "/proc/%d", number == NULL ? -1 : atoi(number + 6));
    tap(access(named, F_OK) == 0 && holders(outer.terminal) == 0, "which does not have root's terminal");
    if (number != NULL)
        kill(atoi(number + 6), SIGKILL);
    finish();
}

static void obeys_the_keyboard(void)
{
    begin("wait");
    shows("ready");
    type("\003");
    end();
    tap(outer.status >= 0 && WIFSIGNALED(outer.status) && WTERMSIG(outer.status) == SIGINT, "Ctrl-C ends the command");
    finish();
    begin("line");
    shows("ready");
    type("some words\n");
    tap(shows("got some words"), "it reads what is typed");
    tap(end() == 0 && exited(0), "all of it");
    finish();
    begin("resized");
    shows("ready");
    must(ioctl(outer.master, TIOCSWINSZ, &(struct winsize){.ws_row = 11, .ws_col = 22}), "TIOCSWINSZ");
    tap(shows("now 11 22"), "it sees when the window changes");
    end();
    finish();
}

static void gets_signals(void)
{
    begin("wait");
    shows("ready");
    kill(outer.pid, SIGTERM);
    end();
    tap(outer.status >= 0 && WIFSIGNALED(outer.status) && WTERMSIG(outer.status) == SIGTERM,
        "a signal goes to the command, and its end is passed on");
    finish();
    begin("stop");
    shows("ready");
    tap(waitpid(outer.pid, &outer.status, WUNTRACED) == outer.pid && WIFSTOPPED(outer.status),
        "root's shell sees that the command stopped");
    kill(outer.pid, SIGCONT);
    tap(shows("goes on"), "and continues it");
    finish();
    kill(outer.pid, SIGKILL);
    await_end(outer.pid, PATIENCE_MS);
}

static void loses_no_output(void)
{
    begin("much");
    tap(shows("line 19999"), "long output arrives");
    tap(shows("last word"), "to its last word, without an end of the line");
    end();
    finish();
}

/* With stdin from elsewhere the keyboard is root's. */
static void has_other_input(void)
{
    int ends[2];

    must(pipe2(ends, O_CLOEXEC), "pipe");
    must(write(ends[1], "of a pipe\n", 10) == 10 ? 0 : -1, "write");
    begin_with("line", ends[0]);
    shows("ready");
    type("typed ahead\n");
    tap(shows("got of a pipe") && shows("typed ahead"), "input of a pipe is the command's own");
    tap(end() == 12 && exited(0), "and what is typed meanwhile is root's shell's");
    close(ends[0]);
    close(ends[1]);
    finish();
    must(pipe2(ends, O_CLOEXEC), "pipe");
    begin_with("wait", ends[0]);
    shows("ready");
    type("\003");
    end();
    tap(outer.status >= 0 && WIFSIGNALED(outer.status) && WTERMSIG(outer.status) == SIGINT,
        "Ctrl-C ends the command all the same");
    close(ends[0]);
    close(ends[1]);
    finish();
}

static void gets_no_file(void)
{
    begin("files");
    tap(shows("files 0 1 2."), "no descriptor from 3 on is the command's");
    end();
    finish();
}

static void gets_no_key(void)
{
    long key;

    must((int)syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, "roots"), "keyctl");
    key = syscall(SYS_add_key, "user", "rootsecret", "topsecret", (size_t)9, KEY_SPEC_SESSION_KEYRING);
    must((int)key, "add_key");
    begin("keys");
    tap(shows("found -1, others -1") && end() == 0, "root's keys are not found, and the keyring is empty");
    finish();
    tap(syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, "user", "mine", 0) < 0,
        "nor does root's keyring get one of the command's");
}

/* As cron and batch systems start it: pipes, no terminal. */
static void works_without_a_terminal(void)
{
    const char *words[] = {step, "--keep", "HOME", "--keep", "A", "--", "/usr/bin/env", NULL};
    const char *bytes[] = {step, "--", "/bin/cat", NULL};
    const char *missing[] = {step, "--", "no-such-command", NULL};
    const char *outside[] = {step, "--procs", "/proc/no/such", "--", "/bin/true", NULL};
    const char *wait_words[] = {step, "--", self, "wait", NULL};
    struct play play;
    char given[256];
    char got[256];
    size_t length = 0;

    clearenv();
    putenv("PATH=/usr/bin:/bin");
    putenv("HOME=/root");
    putenv("A=b\nc");
    putenv("LC_ALL=C");
    putenv("AWS_SECRET=x");
    putenv("LD_PRELOAD=");
    putenv("ROLLCALL_TOKEN_FILE=x");
    play_begin(&play, 0, words);
    while (length + 1 < sizeof got && read(play.out, got + length, 1) == 1)
        length++;
    got[length] = '\0';
    play_end(&play);
    tap(strcmp(got, "PATH=/usr/bin:/bin\nHOME=/root\nA=b\nc\nLC_ALL=C\n") == 0, "the environment is exact: %s", got);
    for (int i = 0; i < 256; i++)
        given[i] = (char)i;
    play_begin(&play, 0, bytes);
    must(write(play.in, given, sizeof given) == sizeof given ? 0 : -1, "write");
    play_close_stdin(&play);
    for (length = 0; length < sizeof got && read(play.out, got + length, 1) == 1;)
        length++;
    play_end(&play);
    tap(length == 256 && memcmp(given, got, 256) == 0 && play.status == 0, "each byte passes as it is");
    play_begin(&play, 0, missing);
    play_end(&play);
    tap(play_ended(&play, 127, "cannot run no-such-command: No such file"), "a missing command is 127");
    play_begin(&play, 0, outside);
    play_end(&play);
    tap(play_ended(&play, 125, "cannot enter /proc/no/such: No such file"), "a missing cgroup is 125");
    play_begin(&play, 0, wait_words);
    play_hear(&play);
    tap(strncmp(play.said, "ready", 5) == 0 && atoi(play.said + 6) == play.pid, "the process becomes the command: %s",
        play.said);
    kill(play.pid, SIGUSR1);
    play_end(&play);
    tap(play.status >= 0 && WIFSIGNALED(play.status) && WTERMSIG(play.status) == SIGUSR1, "with its signals");
}

static int test(void)
{
    has_another_terminal();
    cannot_type_for_root();
    leaves_nothing_at_the_terminal();
    obeys_the_keyboard();
    gets_signals();
    loses_no_output();
    has_other_input();
    gets_no_file();
    gets_no_key();
    works_without_a_terminal();
    return tap_done();
}

static int say_where(void)
{
    struct stat found;
    struct winsize size;
    int tty = open("/dev/tty", O_RDWR);

    fstat(STDIN_FILENO, &found);
    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    printf("tty %u:%u of %u size %d %d%s%s\n", major(found.st_rdev), minor(found.st_rdev), (unsigned)found.st_uid,
           size.ws_row, size.ws_col, getsid(0) == getpid() ? " leader" : "", tty >= 0 ? " controlling" : "");
    return 7;
}

static int push(void)
{
    int tty = open("/dev/tty", O_RDWR);
    int result = 0;

    for (const char *letter = "touch /tmp/owned\n"; *letter != '\0' && result == 0; letter++)
        result = ioctl(tty, TIOCSTI, letter);
    printf("pushed %d\n", result);
    return 0;
}

static int stay(void)
{
    pid_t pid = fork();

    if (pid == 0) {
        setsid();
        pause();
    }
    printf("stays %d\n", (int)pid);
    return 0;
}

static void on_size(int signal)
{
    (void)signal;
}

static int see_size(void)
{
    struct winsize size;

    sigaction(SIGWINCH, &(struct sigaction){.sa_handler = on_size}, NULL);
    puts("ready");
    fflush(stdout);
    do {
        ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    } while (size.ws_row == 30 && (poll(NULL, 0, 100) <= 0));
    printf("now %d %d\n", size.ws_row, size.ws_col);
    return 0;
}

static int say_files(void)
{
    printf("files");
    for (int fd = 0; fd < 64; fd++) {
        if (fcntl(fd, F_GETFD) >= 0)
            printf(" %d", fd);
    }
    puts(".");
    return 0;
}

static int say_keys(void)
{
    long found = syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, "user", "rootsecret", 0);
    long other = syscall(SYS_request_key, "user", "rootsecret", NULL, 0);

    syscall(SYS_add_key, "user", "mine", "x", (size_t)1, KEY_SPEC_SESSION_KEYRING);
    printf("found %ld, others %ld\n", found, other);
    return 0;
}

static int read_line(void)
{
    char line[64] = "";

    puts("ready");
    fflush(stdout);
    if (fgets(line, sizeof line, stdin) == NULL)
        return 1;
    printf("got %s", line);
    return 0;
}

static int say_much(void)
{
    for (int i = 0; i < 20000; i++)
        printf("line %d\n", i);
    printf("last word");
    return 0;
}

static int stop_once(void)
{
    puts("ready");
    fflush(stdout);
    raise(SIGSTOP);
    puts("goes on");
    fflush(stdout);
    pause();
    return 0;
}

static int wait_here(void)
{
    printf("ready %d\n", (int)getpid());
    fflush(stdout);
    pause();
    return 0;
}

int main(int count, char **words)
{
    static const struct {
        const char *word;
        int (*command)(void);
    } commands[] = {{"where", say_where}, {"push", push},     {"stay", stay},      {"resized", see_size},
                    {"files", say_files}, {"keys", say_keys}, {"line", read_line}, {"much", say_much},
                    {"stop", stop_once},  {"wait", wait_here}};

    for (size_t i = 0; count > 1 && i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(words[1], commands[i].word) == 0)
            return commands[i].command();
    }
    self = words[0];
    step = count > 1 ? words[1] : "target/rollcall-step";
    return scene_run(test);
}
