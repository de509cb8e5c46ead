#include "play.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "deadline.h"
#include "scene.h"
#include "tap.h"

#define PATIENCE_MS 5000

static void become(uid_t user)
{
    if (user == 0)
        return;
    must(setgroups(0, NULL), "setgroups");
    must(setresgid(user, user, user), "setresgid");
    must(setresuid(user, user, user), "setresuid");
}

void play_begin(struct play *play, uid_t user, const char *const *words)
{
    int in[2];
    int out[2];
    int err[2];

    memset(play, 0, sizeof *play);
    must(pipe2(in, O_CLOEXEC), "pipe");
    must(pipe2(out, O_CLOEXEC), "pipe");
    must(pipe2(err, O_CLOEXEC), "pipe");
    play->pid = fork();
    must(play->pid, "fork");
    if (play->pid == 0) {
        become(user);
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        dup2(err[1], STDERR_FILENO);
        execv(words[0], (char *const *)words);
        perror(words[0]);
        _exit(99);
    }
    close(in[0]);
    close(out[1]);
    close(err[1]);
    play->in = in[1];
    play->out = out[0];
    play->err = err[0];
}

static bool read_one(int fd, char *letter, struct deadline deadline)
{
    struct pollfd one = {.fd = fd, .events = POLLIN};

    return poll(&one, 1, deadline_left(deadline)) == 1 && read(fd, letter, 1) == 1;
}

static void read_until(int fd, char end, char *text, size_t size)
{
    struct deadline deadline = deadline_in(PATIENCE_MS);
    size_t used = 0;
    char letter;

    while (used + 1 < size && read_one(fd, &letter, deadline) && letter != end)
        text[used++] = letter;
    text[used] = '\0';
}

const char *play_hear(struct play *play)
{
    read_until(play->out, '\n', play->said, sizeof play->said);
    return play->said;
}

void play_say(struct play *play, const char *text)
{
    must(write(play->in, text, strlen(text)) == (ssize_t)strlen(text) ? 0 : -1, "write to the program");
}

void play_close_stdin(struct play *play)
{
    if (play->in >= 0)
        close(play->in);
    play->in = -1;
}

/* Its stderr is read to the end: while a process that it left has it, there is none. */
void play_end(struct play *play)
{
    play_close_stdin(play);
    read_until(play->err, '\0', play->complaint, sizeof play->complaint);
    play->status = await_end(play->pid, PATIENCE_MS);
    close(play->out);
    close(play->err);
}

const char *play_complaint(const struct play *play)
{
    static char line[sizeof play->complaint];
    size_t length = strlen(play->complaint);
    char *before;

    memcpy(line, play->complaint, length + 1);
    if (length > 0 && line[length - 1] == '\n')
        line[length - 1] = '\0';
    before = strrchr(line, '\n');
    return before == NULL ? line : before + 1;
}

bool play_ended(const struct play *play, int status, const char *text)
{
    bool held = play->status >= 0 && WIFEXITED(play->status) && WEXITSTATUS(play->status) == status
                && (text[0] == '\0' ? play->complaint[0] == '\0' : strstr(play->complaint, text) != NULL);

    if (!held)
        tap_say("status %#x, said \"%s\", complained: %s", (unsigned)play->status, play->said, play->complaint);
    return held;
}
