#include "hpack.h"

#include <stdlib.h>
#include <string.h>

/* RFC 7541 appendix A: the entries of the static table, of which these have values of :status. */
#define STATIC_ENTRIES 61
#define FIRST_STATUS 8
#define LAST_STATUS 14
static const int statuses[] = {200, 204, 206, 304, 400, 404, 500};

/* Appendix B: how many bits each byte has. The code is canonical, so that the bits follow from that. */
#define SHORTEST 5
#define LONGEST 30
static const uint8_t bits_of[256] = {
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28,
    28, 28, 28, 6,  10, 10, 12, 13, 6,  8,  11, 10, 10, 8,  11, 8,  6,  6,  6,  5,  5,  5,  6,  6,  6,  6,  6,  6,  6,
    7,  8,  15, 6,  12, 10, 13, 6,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,
    7,  8,  7,  8,  13, 19, 13, 14, 6,  15, 5,  6,  5,  6,  5,  6,  6,  6,  5,  7,  7,  6,  6,  6,  5,  6,  7,  6,  5,
    5,  6,  7,  7,  7,  7,  7,  15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24,
    24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22,
    23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26,
    27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23,
    22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26};

/* Where a reader is in a block. */
struct block {
    const uint8_t *at;
    const uint8_t *end;
};

/* A name or a value, and whether it was longer than its place. */
struct text {
    char bytes[HPACK_TEXT_MAX];
    size_t length;
};

static void add(struct text *text, uint8_t byte)
{
    if (text->length < sizeof text->bytes - 1)
        text->bytes[text->length++] = (char)byte;
}

/* Section 5.1. */
static bool take_number(struct block *block, int prefix_bits, uint32_t *value)
{
    uint32_t most = (1U << prefix_bits) - 1;

    if (block->at == block->end)
        return false;
    *value = *block->at++ & most;
    if (*value < most)
        return true;
    for (int shift = 0; shift <= 21; shift += 7) {
        uint8_t byte;

        if (block->at == block->end)
            return false;
        byte = *block->at++;
        *value += (uint32_t)(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0)
            return true;
    }
    return false;
}

/* The byte whose code this is, -1 if it is none of that length. */
static int symbol(uint32_t code, int bits)
{
    uint32_t next = 0;

    for (int length = SHORTEST; length <= bits; length++) {
        next <<= 1;
        for (int byte = 0; byte < 256; byte++) {
            if (bits_of[byte] != length)
                continue;
            if (length == bits && next == code)
                return byte;
            next++;
        }
    }
    return -1;
}

/* Section 5.2: fewer than eight bits of ones are left at the end. */
static bool decode_huffman(const uint8_t *from, size_t length, struct text *text)
{
    uint32_t code = 0;
    int bits = 0;

    for (size_t i = 0; i < length * 8; i++) {
        int byte;

        code = code << 1 | (uint32_t)(from[i / 8] >> (7 - i % 8) & 1);
        bits++;
        byte = bits < SHORTEST ? -1 : symbol(code, bits);
        if (byte >= 0) {
            add(text, (uint8_t)byte);
            code = 0;
            bits = 0;
        } else if (bits == LONGEST) {
            return false;
        }
    }
    return bits < 8 && code == (1U << bits) - 1;
}

static bool take_text(struct block *block, struct text *text)
{
    bool huffman = block->at < block->end && (*block->at & 0x80) != 0;
    const uint8_t *from;
    uint32_t length;

    text->length = 0;
    if (!take_number(block, 7, &length) || length > (size_t)(block->end - block->at))
        return false;
    from = block->at;
    block->at += length;
    if (huffman && !decode_huffman(from, length, text))
        return false;
    for (uint32_t i = 0; !huffman && i < length; i++)
        add(text, from[i]);
    text->bytes[text->length] = '\0';
    return true;
}

static int number(const char *text)
{
    char *end;
    long value = strtol(text, &end, 10);

    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && value <= 999 ? (int)value : -1;
}

static void note(struct headers *headers, const char *name, const char *value)
{
    if (strcmp(name, ":status") == 0)
        headers->http_status = number(value);
    else if (strcmp(name, "grpc-status") == 0)
        headers->grpc_status = number(value);
    else if (strcmp(name, "grpc-message") == 0)
        strcpy(headers->message, value);
}

/* Sections 6.2.1 to 6.2.3; with a dynamic table of no bytes they say the same. */
static bool take_literal(struct block *block, int prefix_bits, struct headers *headers)
{
    struct text name = {.length = 0};
    struct text value;
    uint32_t index;

    if (!take_number(block, prefix_bits, &index) || index > STATIC_ENTRIES)
        return false;
    if (index == 0 && !take_text(block, &name))
        return false;
    if (index >= FIRST_STATUS && index <= LAST_STATUS)
        strcpy(name.bytes, ":status");
    else if (index != 0)
        name.bytes[0] = '\0';
    if (!take_text(block, &value))
        return false;
    note(headers, name.bytes, value.bytes);
    return true;
}

static bool take_header(struct block *block, struct headers *headers)
{
    uint8_t first = *block->at;
    uint32_t index;

    if ((first & 0x80) != 0) {
        if (!take_number(block, 7, &index) || index == 0 || index > STATIC_ENTRIES)
            return false;
        if (index >= FIRST_STATUS && index <= LAST_STATUS)
            headers->http_status = statuses[index - FIRST_STATUS];
        return true;
    }
    if ((first & 0xc0) == 0x40)
        return take_literal(block, 6, headers);
    if ((first & 0xe0) == 0x20)
        return take_number(block, 5, &index) && index == 0;
    return take_literal(block, 4, headers);
}

bool hpack_read(const uint8_t *block, size_t length, struct headers *headers)
{
    struct block rest = {block, block + length};

    while (rest.at < rest.end) {
        if (!take_header(&rest, headers))
            return false;
    }
    return true;
}
