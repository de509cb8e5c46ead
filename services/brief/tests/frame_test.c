/* Requests at their limit, and replies that a hostile agent could send. contract_test has the good ones. */
#include "frame.h"

#include <string.h>

#include "tap.h"

#define BYTES(literal) (const uint8_t *)(literal), sizeof(literal) - 1

static void requests(void)
{
    static uint8_t frame[FRAME_REQUEST_MAX];
    static struct writing message;
    size_t length = frame_encode("a/B", &message, 0, frame);

    tap(length == FRAME_HEADER + 7 && memcmp(frame, "\0\0\0\7\x0a\3a/B\x12\0", length) == 0,
        "an empty message is sent");
    message.length = PROTOBUF_MAX - 10;
    tap(frame_encode("a/B", &message, 1, frame) == 16 * 1024, "the largest request has 16 KiB");
    message.length++;
    tap(frame_encode("a/B", &message, 1, frame) == 0, "a larger one is not sent");
    message = (struct writing){.overflow = true};
    tap(frame_encode("a/B", &message, 1, frame) == 0, "nor is one that was cut");
}

static bool decodes(const uint8_t *content, size_t length, struct reply *reply)
{
    return frame_decode((struct bytes){content, length}, NULL, reply);
}

static void refuses(const char *what, const uint8_t *content, size_t length)
{
    struct reply reply;

    tap(!decodes(content, length, &reply), "%s is refused", what);
}

int main(void)
{
    struct reply reply;

    requests();
    tap(frame_length((const uint8_t *)"\xff\xff\xff\xff") == UINT32_MAX, "the largest length is read");
    refuses("nothing", BYTES(""));
    refuses("a text", BYTES("HTTP/1.1 400 Bad Request"));
    refuses("an end that is a number", BYTES("\x0a\0\x10\1"));
    refuses("an end that is cut", BYTES("\x0a\0\x12\5\x08\7"));
    refuses("an end whose text is cut", BYTES("\x0a\0\x12\4\x12\5ab"));
    refuses("a message that is a number", BYTES("\x08\1\x12\0"));
    refuses("a message that cannot be read", BYTES("\x0a\1\xff\x12\0"));
    refuses("a whole reply and a byte", BYTES("\x0a\0\x12\0\xff"));
    tap(decodes(BYTES("\x12\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\1"), &reply) && reply.code == -1,
        "a negative code is one");
    tap(decodes(BYTES("\x1a\1x\x0a\0\x12\4\x08\0\x18\7"), &reply) && reply.code == 0,
        "fields of a newer agent are skipped");
    return tap_done();
}
