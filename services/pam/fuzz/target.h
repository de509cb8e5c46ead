/* A fuzz target: reads bytes that others choose, and ends the process if what it is left with is not sound. Linked with
 * libFuzzer by `make fuzz`, and with replay.c by `make check`. */
#ifndef ROLLCALL_FUZZ_TARGET_H
#define ROLLCALL_FUZZ_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Called by libFuzzer, by this name, for each input. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* What must hold whatever the input is. abort(3) is what both libFuzzer and replay.c notice. */
static inline void demand(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "fuzz: %s\n", what);
        abort();
    }
}

#endif
