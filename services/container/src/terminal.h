/* A new terminal (pty(7)) between a command and the terminal of the process that started it. */
#ifndef ROLLCALL_TERMINAL_H
#define ROLLCALL_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

#include "problem.h"

struct terminal {
    int outer;            /* the first of descriptors 0 to 2 that is a terminal; -1: none */
    int master;           /* -1: none */
    int slave;            /* for the command; -1: none */
    bool read;            /* stdin is the terminal, so its input goes to the command */
    bool raw;             /* the outer terminal's settings are changed */
    bool silent;          /* no process has the new terminal open at present */
    struct termios usual; /* of the outer terminal */
    char input[4096];     /* not yet written to the master */
    size_t waiting;
};

/* Makes the new terminal, with settings and size of the outer one. Without an outer one only says so. */
bool terminal_open(struct terminal *terminal, uid_t owner, struct problem *problem);

/* For the command, the leader of a new session: makes the new terminal its controlling one, and replaces by it those
 * of descriptors 0 to 2 that are terminals. */
bool terminal_join(const struct terminal *terminal, struct problem *problem);

/* Sets the outer terminal to raw if this process is in the foreground there. Returns whether input is to be read. */
bool terminal_listen(struct terminal *terminal);

void terminal_restore(struct terminal *terminal);

void terminal_resize(const struct terminal *terminal);

/* Reads from the outer terminal. */
void terminal_take_input(struct terminal *terminal);

/* Writes to the master as much as it accepts. */
void terminal_give_input(struct terminal *terminal);

/* Copies output once. False: there is none at present. */
bool terminal_copy_output(struct terminal *terminal);

/* Copies what the command has left, after its end. */
void terminal_finish(struct terminal *terminal);

#endif
