/* How values are written. */
#include "text.h"

#include <stdlib.h>
#include <string.h>

#include "tap.h"

typedef void writer(FILE *to, const char *text, size_t length);

static bool writes(writer *write, const char *text, size_t length, const char *expected)
{
    char *written = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&written, &size);
    bool same;

    write(to, text, length);
    fclose(to);
    same = strcmp(written, expected) == 0;
    if (!same)
        tap_say("%s", written);
    free(written);
    return same;
}

static void long_text(void)
{
    static char text[3 * 9000 + 1];
    static char expected[8192 + 64];

    memset(text, 'x', 9000);
    memset(expected, 'x', 8192);
    strcpy(expected + 8192, "\xe2\x80\xa6 (808 more)");
    tap(writes(text_print, text, 9000, expected), "a long text is cut");
}

int main(void)
{
    char time[TIME_MAX];

    tap(writes(text_print, "a\x1b[2J\x7f", 6, "a?[2J?"), "control characters are question marks");
    tap(writes(text_print, "\xc2\x9b\xe2\x80\xae\xf3\xa0\x81\x81", 9, "???"), "and so are those beyond ASCII");
    tap(writes(text_print, "n\xc3\xb6\xf0\x9f\x98\x80", 7, "n\xc3\xb6\xf0\x9f\x98\x80"), "letters stay");
    tap(writes(text_print, "\xc3", 1, "?") && writes(text_print, "\xf0\x9f", 2, "??"),
        "a character that is cut is not read beyond its end");
    tap(writes(text_print, "\xe2\x1b[2J\xe2\x1b]0;\xf8\x1b\x07", 13, "??[2J??]0;???"),
        "bytes that are no character hide no control character");
    tap(writes(text_print, "\x9b[m\xc0\x9b", 5, "?[m?"), "nor are they one for a terminal of 8 bits");
    tap(writes(text_print, "", 0, ""), "an empty text is empty");
    long_text();
    tap(writes(text_quote, "a\"\\\n\t\x01\x7f\xc3\xb6", 9, "\"a\\\"\\\\\\n\\t\\u0001\\u007f\xc3\xb6\""),
        "JSON is quoted");
    text_time((struct bytes){(const uint8_t *)"\x08\x80\xe6\xf7\xd7\x06", 6}, time);
    tap(strcmp(time, "2026-11-18T18:48:32Z") == 0, "a time is written: %s", time);
    text_time((struct bytes){(const uint8_t *)"\x08\x01\x10\x01", 4}, time);
    tap(strcmp(time, "1970-01-01T00:00:01.000000001Z") == 0, "and its nanoseconds: %s", time);
    text_clock((struct bytes){(const uint8_t *)"\x08\x01\x10\xc0\x84\x3d", 6}, time);
    tap(strcmp(time, "1970-01-01T00:00:01.001Z") == 0, "for people to the millisecond: %s", time);
    text_time((struct bytes){NULL, 0}, time);
    tap(time[0] == '\0', "a time that is absent is empty");
    text_time((struct bytes){(const uint8_t *)"\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 10}, time);
    tap(strlen(time) < TIME_MAX, "a time beyond all calendars stays within its place");
    return tap_done();
}
