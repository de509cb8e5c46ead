/* A program that is talked to by its stdin and stdout, as the agent does. Everything waits five seconds at most. */
#ifndef ROLLCALL_PLAY_H
#define ROLLCALL_PLAY_H

#include <stdbool.h>
#include <sys/types.h>

struct play {
    pid_t pid;
    int in;
    int out;
    int err;
    char said[512];      /* its last line of stdout, without the end of the line; "" at the end of stdout */
    char complaint[512]; /* all of stderr, after play_end */
    int status;          /* as of waitpid(2), after play_end; -1 if it had to be killed */
};

/* The words end with NULL. With a user other than 0 it has that user and group, no other groups, and no capabilities.
 */
void play_begin(struct play *play, uid_t user, const char *const *words);

/* Reads a line of stdout. */
const char *play_hear(struct play *play);

/* Writes to stdin. */
void play_say(struct play *play, const char *text);

void play_close_stdin(struct play *play);

/* Closes stdin and waits for the end. */
void play_end(struct play *play);

/* The last line of its complaint. */
const char *play_complaint(const struct play *play);

/* Whether it ended with that exit status, and its complaint has the text; what was found otherwise is said as a
 * comment. */
bool play_ended(const struct play *play, int status, const char *text);

#endif
