/* Between the launcher and the process that it makes: one word this way, one report that way. An end that is gone is
 * noticed at once (SOCK_SEQPACKET). */
#ifndef ROLLCALL_TALK_H
#define ROLLCALL_TALK_H

#include <stdbool.h>

#include "problem.h"

enum word {
    WORD_NONE = 0, /* the other end is gone */
    WORD_GO = 'g',
    WORD_STAY = 's',
};

bool talk_begin(int ends[2], struct problem *problem);

bool talk_say(int end, enum word word);

/* Waits as long as it takes: for the process that has no deadline of its own. */
enum word talk_hear(int end);

/* A problem with no text says that all is well. */
void talk_report(int end, const struct problem *problem);

/* False if the other end is gone. Does not wait. */
bool talk_read_report(int end, struct problem *problem);

#endif
