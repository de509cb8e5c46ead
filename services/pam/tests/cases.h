/* Logins as lines of words, for the decision: contract/decisions has some, and says what the words are. */
#ifndef ROLLCALL_CASES_H
#define ROLLCALL_CASES_H

#include <stdbool.h>
#include <stddef.h>

/* Decides the case and writes the answer: "join 41 only-job". False: the line is none. */
bool case_answer(const char *line, char *answer, size_t size);

#endif
