/* Frames from an agent: those of a good one, and those that a hostile one could send. */
#include "answer.h"

#include <stdlib.h>
#include <string.h>

#include "tap.h"

static struct answer answer;
static uint8_t reply[REPLY_MAX];
static size_t reply_length;

static void begin(void)
{
    free(answer.data);
    answer = (struct answer){.headers = {.grpc_status = -1}};
}

static bool take(unsigned type, unsigned flags, unsigned stream, const char *payload, size_t length)
{
    uint8_t header[FRAME_HEADER] = {
        (uint8_t)(length >> 16), (uint8_t)(length >> 8), (uint8_t)length, (uint8_t)type, (uint8_t)flags, 0, 0, 0,
        (uint8_t)stream};

    return answer_take(&answer, header, (const uint8_t *)payload, reply, &reply_length);
}

static void a_good_answer(void)
{
    const uint8_t *bytes;
    size_t length;

    begin();
    tap(take(4, 0, 0, "\0\3\0\0\1\0", 6) && reply_length == 9 && reply[3] == 4 && reply[4] == 1 && reply[2] == 0,
        "settings are acknowledged");
    tap(take(4, 1, 0, "", 0) && reply_length == 0, "an acknowledgement is not");
    tap(take(6, 0, 0, "12345678", 8) && reply_length == 17 && memcmp(reply + 9, "12345678", 8) == 0,
        "a ping is answered with its bytes");
    tap(take(1, 4, 1, "\x88", 1) && !answer.over, "headers are taken in");
    tap(take(0, 0, 1, "\0\0\0\0\3ab", 7) && take(0, 8, 1, "\2c\0\0", 4), "a message comes in parts, and padded");
    tap(take(1, 0x25, 1, "\0\0\0\0\0\0\x0bgrpc-status\1", 5 + 14) == false, "trailers that are cut are none");
    answer.in_block = false;
    answer.block_length = 0;
    tap(take(1, 0x21, 1, "\0\0\0\0\0\0\x0bgrpc-status", 5 + 13) && !answer.over, "trailers go on");
    tap(take(9, 4, 1, "\0010", 2) && answer.over, "and end");
    tap(answer.headers.http_status == 200 && answer.headers.grpc_status == 0, "the statuses are known");
    tap(answer_message(&answer, &bytes, &length) && length == 3 && memcmp(bytes, "abc", 3) == 0,
        "and so is the message");
}

static void refused(const char *what, unsigned type, unsigned flags, unsigned stream, const char *payload,
                    size_t length)
{
    begin();
    tap(!take(type, flags, stream, payload, length), "%s is refused", what);
}

static void too_much(void)
{
    static char part[FRAME_MAX];
    bool taken = true;
    int frames = 0;

    begin();
    while (taken && !answer.over && frames < 1000) {
        taken = take(0, 0, 1, part, sizeof part);
        frames++;
    }
    tap(taken && answer.over && answer.too_large && frames <= 65, "a message over the limit ends the call");
    begin();
    tap(take(1, 0, 1, part, HEADERS_MAX), "a block of the largest size is kept");
    tap(!take(9, 0, 1, part, 1), "more is refused");
}

static void no_message(const char *what, const char *data, size_t length)
{
    const uint8_t *bytes;
    size_t bytes_length;

    begin();
    tap(take(0, 1, 1, data, length) && !answer_message(&answer, &bytes, &bytes_length), "%s is no message", what);
}

int main(void)
{
    a_good_answer();
    refused("data of the connection", 0, 0, 0, "x", 1);
    refused("another stream", 0, 0, 3, "x", 1);
    refused("a continuation of nothing", 9, 4, 1, "x", 1);
    refused("a ping of seven bytes", 6, 0, 0, "1234567", 7);
    refused("settings of seven bytes", 4, 0, 0, "1234567", 7);
    refused("more padding than there is", 0, 8, 1, "\5abc", 4);
    refused("padding of an empty frame", 0, 8, 1, "", 0);
    refused("a priority that is cut", 1, 0x24, 1, "\0\0", 2);
    refused("headers that cannot be read", 1, 4, 1, "\xbe", 1);
    refused("a reset of three bytes", 3, 0, 1, "\0\0\0", 3);
    refused("a farewell that is cut", 7, 0, 0, "\0\0\0\0", 4);
    begin();
    tap(take(1, 0, 1, "\x88", 1) && !take(6, 0, 0, "12345678", 8), "a ping within headers is refused");
    begin();
    tap(take(3, 0, 1, "\0\0\0\x0b", 4) && answer.over && answer.reset && answer.reset_code == 11,
        "a reset ends the call");
    begin();
    tap(take(7, 0, 0, "\0\0\0\1\0\0\0\0", 8) && !answer.going, "a farewell that includes our call lets it end");
    tap(take(7, 0, 0, "\0\0\0\0\0\0\0\0", 8) && answer.going, "another one does not");
    too_much();
    no_message("nothing", "", 0);
    no_message("a prefix that is cut", "\0\0\0", 3);
    no_message("a compressed one", "\1\0\0\0\1x", 6);
    no_message("one that is cut", "\0\0\0\0\2x", 6);
    no_message("one and more", "\0\0\0\0\1xy", 7);
    begin();
    return tap_done();
}
