#include "text.h"

#include <string.h>
#include <time.h>

#define LONGEST 8192

struct range {
    uint32_t first;
    uint32_t last;
};

/* Beyond ASCII, by Unicode 16: control characters, formats, separators of lines, half pairs. */
static const struct range obeyed[] = {{0x80, 0x9f},       {0xad, 0xad},       {0x600, 0x605},     {0x61c, 0x61c},
                                      {0x6dd, 0x6dd},     {0x70f, 0x70f},     {0x890, 0x891},     {0x8e2, 0x8e2},
                                      {0x180e, 0x180e},   {0x200b, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x2064},
                                      {0x2066, 0x206f},   {0xd800, 0xdfff},   {0xfeff, 0xfeff},   {0xfff9, 0xfffb},
                                      {0x110bd, 0x110bd}, {0x110cd, 0x110cd}, {0x13430, 0x1343f}, {0x1bca0, 0x1bca3},
                                      {0x1d173, 0x1d17a}, {0xe0001, 0xe0001}, {0xe0020, 0xe007f}};

/* The code of a byte that is no character (RFC 3629): it is shown as a control character is. */
#define NO_CHARACTER 0x80

/* Bytes of the character that begins here, 1 for what is none. */
static size_t character(const uint8_t *text, size_t length, uint32_t *code)
{
    size_t bytes = text[0] >= 0xf8 ? 1 : text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : text[0] >= 0xc0 ? 2 : 1;
    uint32_t bits = text[0] & (0x7fU >> bytes);

    *code = text[0] < 0x80 ? text[0] : NO_CHARACTER;
    if (bytes == 1 || bytes > length)
        return 1;
    for (size_t i = 1; i < bytes; i++) {
        if ((text[i] & 0xc0U) != 0x80)
            return 1;
        bits = bits << 6 | (text[i] & 0x3fU);
    }
    *code = bits;
    return bytes;
}

static bool is_obeyed(uint32_t code)
{
    if (code < ' ' || code == 0x7f)
        return true;
    for (size_t i = 0; i < sizeof obeyed / sizeof obeyed[0]; i++) {
        if (code >= obeyed[i].first && code <= obeyed[i].last)
            return true;
    }
    return false;
}

/* In units of UTF-16, as Java counts. */
static size_t units(const uint8_t *text, size_t length)
{
    size_t count = 0;
    uint32_t code;

    for (size_t at = 0; at < length;) {
        at += character(text + at, length - at, &code);
        count += code > 0xffff ? 2 : 1;
    }
    return count;
}

void text_print(FILE *to, const char *text, size_t length)
{
    const uint8_t *bytes = (const uint8_t *)text;
    size_t all = units(bytes, length);
    size_t printed = 0;

    for (size_t at = 0; at < length && printed < LONGEST;) {
        uint32_t code;
        size_t one = character(bytes + at, length - at, &code);

        if (is_obeyed(code))
            fputc('?', to);
        else
            fwrite(bytes + at, 1, one, to);
        at += one;
        printed += code > 0xffff ? 2 : 1;
    }
    if (all > LONGEST)
        fprintf(to, "\xe2\x80\xa6 (%zu more)", all - LONGEST);
}

void text_quote(FILE *to, const char *text, size_t length)
{
    fputc('"', to);
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];

        if (byte == '"' || byte == '\\')
            fprintf(to, "\\%c", byte);
        else if (byte == '\n')
            fputs("\\n", to);
        else if (byte == '\t')
            fputs("\\t", to);
        else if (byte < ' ' || byte == 0x7f)
            fprintf(to, "\\u%04x", byte);
        else
            fputc(byte, to);
    }
    fputc('"', to);
}

void text_member(const char *name, struct bytes text)
{
    printf("\"%s\":", name);
    text_quote(stdout, (const char *)text.at, text.length);
}

struct bytes text_bytes(const char *text)
{
    return (struct bytes){(const uint8_t *)text, strlen(text)};
}

/* How much of time was written, to the second; 0 for one that is absent. */
static size_t write_seconds(struct bytes timestamp, char time[TIME_MAX], unsigned *nanos)
{
    time_t seconds = (time_t)protobuf_get(timestamp, 1).value;
    struct tm parts;

    *nanos = (unsigned)protobuf_get(timestamp, 2).value;
    time[0] = '\0';
    if ((seconds == 0 && *nanos == 0) || gmtime_r(&seconds, &parts) == NULL)
        return 0;
    return strftime(time, TIME_MAX, "%Y-%m-%dT%H:%M:%S", &parts);
}

void text_time(struct bytes timestamp, char time[TIME_MAX])
{
    unsigned nanos;
    size_t length = write_seconds(timestamp, time, &nanos);

    if (length == 0)
        return;
    if (nanos == 0)
        snprintf(time + length, TIME_MAX - length, "Z");
    else if (nanos % 1000000 == 0)
        snprintf(time + length, TIME_MAX - length, ".%03uZ", nanos / 1000000);
    else if (nanos % 1000 == 0)
        snprintf(time + length, TIME_MAX - length, ".%06uZ", nanos / 1000);
    else
        snprintf(time + length, TIME_MAX - length, ".%09uZ", nanos);
}

void text_clock(struct bytes timestamp, char time[TIME_MAX])
{
    unsigned nanos;
    size_t length = write_seconds(timestamp, time, &nanos);

    if (length > 0)
        snprintf(time + length, TIME_MAX - length, ".%03uZ", nanos / 1000000);
}
