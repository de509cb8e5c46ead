/* Results in the form of the Test Anything Protocol: one line each, "ok N - what" or "not ok N - what". */
#ifndef ROLLCALL_TAP_H
#define ROLLCALL_TAP_H

#include <stdbool.h>

/* The words are what holds, as a sentence. Returns holds, so that a test can say more about a failure. */
bool tap(bool holds, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A line of comment under the result. */
void tap_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The plan, at the end; for main to return: 0 if all held. */
int tap_done(void);

#endif
