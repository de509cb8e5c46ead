/* Blocks of headers: those of RFC 7541 appendix C, those that an agent sends, and those that nobody may send. */
#include "hpack.h"

#include <string.h>

#include "tap.h"

struct sample {
    const char *what;
    const char *block;
    size_t length;
    bool readable;
    int http_status;
    int grpc_status;
    const char *message;
};

#define BLOCK(bytes) bytes, sizeof bytes - 1

static const struct sample samples[] = {
    {"an empty block", "", 0, true, 0, -1, ""},
    {"a status of the static table", BLOCK("\x88"), true, 200, -1, ""},
    {"another one", BLOCK("\x8e"), true, 500, -1, ""},
    {"a status by its name's number",
     BLOCK("\x48\x03"
           "403"),
     true, 403, -1, ""},
    {"a status in Huffman's code (C.6.1)", BLOCK("\x48\x82\x64\x02"), true, 302, -1, ""},
    {"a name and a value in full",
     BLOCK("\x00\x0bgrpc-status\x01"
           "7"),
     true, 0, 7, ""},
    {"one to be kept, in a table of no bytes",
     BLOCK("\x40\x0bgrpc-status\x02"
           "16"),
     true, 0, 16, ""},
    {"one never to be kept", BLOCK("\x10\x0cgrpc-message\x03not"), true, 0, -1, "not"},
    {"a message in Huffman's code (C.4.1)",
     BLOCK("\x00\x0cgrpc-message\x8c\xf1\xe3\xc2\xe5\xf2\x3a\x6b\xa0\xab\x90\xf4\xff"), true, 0, -1, "www.example.com"},
    {"a table of no bytes", BLOCK("\x20\x88"), true, 200, -1, ""},
    {"headers that do not count",
     BLOCK("\x88\x0f\x10\x10"
           "application/grpc"),
     true, 200, -1, ""},
    {"a status that is not a number",
     BLOCK("\x00\x0bgrpc-status\x02"
           "1x"),
     true, 0, -1, ""},
    {"entry 0", BLOCK("\x80"), false, 0, -1, ""},
    {"an entry of the dynamic table", BLOCK("\xbe"), false, 0, -1, ""},
    {"a name of the dynamic table", BLOCK("\x7e\x01x"), false, 0, -1, ""},
    {"a table larger than announced", BLOCK("\x21"), false, 0, -1, ""},
    {"a number without end", BLOCK("\xff\xff\xff\xff\xff\xff\xff\xff\xff"), false, 0, -1, ""},
    {"a number that is cut", BLOCK("\x7f"), false, 0, -1, ""},
    {"a name that is cut", BLOCK("\x00\x0bgrpc"), false, 0, -1, ""},
    {"a name without a value", BLOCK("\x00\x01x"), false, 0, -1, ""},
    {"Huffman's code with padding of zeros", BLOCK("\x00\x01x\x81\x00"), false, 0, -1, ""},
    {"Huffman's end of a string, written out", BLOCK("\x00\x01x\x84\xff\xff\xff\xff"), false, 0, -1, ""}};

static void check(const struct sample *sample)
{
    struct headers headers = {.grpc_status = -1};
    bool read = hpack_read((const uint8_t *)sample->block, sample->length, &headers);

    tap(read == sample->readable, "%s %s", sample->what, sample->readable ? "is read" : "is not read");
    if (sample->readable)
        tap(headers.http_status == sample->http_status && headers.grpc_status == sample->grpc_status
                && strcmp(headers.message, sample->message) == 0,
            "%s means HTTP %d, gRPC %d, '%s'", sample->what, sample->http_status, sample->grpc_status, sample->message);
}

/* Each byte in its code, as an encoder writes it that takes the codes in order of their lengths. */
static void check_long(void)
{
    static uint8_t block[3 * HPACK_TEXT_MAX] = {0, 12};
    struct headers headers = {.grpc_status = -1};
    size_t length = 2 + 12 + 3;

    memcpy(block + 2, "grpc-message", 12);
    /* 7 bits of 127, then 8192 - 127 = 0x1f81 in groups of seven. */
    memcpy(block + 14, "\x7f\x81\x3f", 3);
    memset(block + length, 'a', 8192);
    tap(hpack_read(block, length + 8192, &headers), "a message of 8192 bytes is read");
    tap(strlen(headers.message) == HPACK_TEXT_MAX - 1, "and cut");
}

int main(void)
{
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        check(&samples[i]);
    check_long();
    return tap_done();
}
