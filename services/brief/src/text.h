/* How values are written: as cli.TerminalText, cli.JsonWriter and cli.Values write them. */
#ifndef ROLLCALL_TEXT_H
#define ROLLCALL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "protobuf.h"

/* For a terminal, in UTF-8: what moves the cursor, begins a line or turns the direction of writing becomes '?', and
 * more than 8192 characters are cut. */
void text_print(FILE *to, const char *text, size_t length);

/* A string of JSON, quotes and all. */
void text_quote(FILE *to, const char *text, size_t length);

/* A member of an object of JSON, on standard output. */
void text_member(const char *name, struct bytes text);

/* The bytes of a C string. */
struct bytes text_bytes(const char *text);

#define TIME_MAX 48

/* A google.protobuf.Timestamp in ISO-8601; "" for one that is absent. */
void text_time(struct bytes timestamp, char time[TIME_MAX]);

/* The same for people: to the millisecond. */
void text_clock(struct bytes timestamp, char time[TIME_MAX]);

#endif
