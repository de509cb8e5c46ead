/* Messages as they are written and read, and bytes that are none. */
#include "protobuf.h"

#include <string.h>

#include "tap.h"

static struct bytes of(const struct writing *message)
{
    return (struct bytes){message->bytes, message->length};
}

static void writes_and_reads(void)
{
    static struct writing inner;
    static struct writing outer;
    struct bytes inside;

    protobuf_put_number(&inner, 1, UINT64_MAX);
    protobuf_put_number(&inner, 2, 0);
    protobuf_put_text(&inner, 3, "");
    protobuf_put_text(&inner, 536870911, "last");
    protobuf_put_message(&outer, 5, &inner);
    inside = protobuf_get(of(&outer), 5).inside;
    tap(inside.length == inner.length, "a message is inside of a message");
    tap(protobuf_get(inside, 1).value == UINT64_MAX, "the largest number is read");
    tap(protobuf_get(inside, 2).number == 0 && protobuf_get(inside, 3).number == 0,
        "what is zero or empty is left out");
    tap(protobuf_get(inside, 536870911).inside.length == 4, "the largest number of a field is read");
    protobuf_put_number(&inner, 1, 7);
    tap(protobuf_get(of(&inner), 1).value == 7, "of a number that comes twice the last counts");
    inner = (struct writing){.length = 0};
    outer = inner;
    protobuf_put_message(&outer, 5, &inner);
    tap(outer.length == 2 && protobuf_get(of(&outer), 5).number == 5, "an empty message is written");
}

static void bounds(void)
{
    static struct writing message;
    char much[PROTOBUF_MAX];

    memset(much, 'x', sizeof much);
    protobuf_put_bytes(&message, 1, much, sizeof much);
    tap(message.overflow && message.length < 8, "what does not fit is dropped and noted");
    protobuf_put_number(&message, 2, 1);
    tap(message.overflow && protobuf_get(of(&message), 2).number == 0, "and so is what follows");
}

static void unsound(const char *what, const char *bytes, size_t length)
{
    struct bytes message = {(const uint8_t *)bytes, length};

    tap(!protobuf_is_sound(message, NULL), "%s is none", what);
    tap(protobuf_get(message, 1).number == 0, "%s has nothing", what);
}

static bool is_sound(const char *bytes, size_t length)
{
    static const struct nested inner[] = {{3, NULL}, {0, NULL}};
    static const struct nested outer[] = {{1, NULL}, {2, inner}, {0, NULL}};

    return protobuf_is_sound((struct bytes){(const uint8_t *)bytes, length}, outer);
}

static void nested(void)
{
    tap(is_sound("\x12\x04\x1a\x02\x08\x01", 6), "messages in messages are read");
    tap(!is_sound("\x0a\x01\x08", 3), "a broken message in a message is none");
    tap(!is_sound("\x12\x03\x1a\x01\x08", 5), "nor is one that is further inside");
    tap(!is_sound("\x0a\x01\x08\x0a\x00", 5), "nor is the first of two");
    tap(is_sound("\x12\x03\x22\x01\x08\x1a\x01\x08", 8), "bytes that are no message may be anything");
}

int main(void)
{
    writes_and_reads();
    bounds();
    unsound("a tag alone", "\x08", 1);
    unsound("a number without end", "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 12);
    unsound("a string that is cut",
            "\x0a\x05"
            "abcd",
            6);
    unsound("a string longer than memory", "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11);
    unsound("field 0", "\x00\x01", 2);
    unsound("a group", "\x0b\x0c", 2);
    unsound("a fixed number that is cut", "\x09\x01\x02", 3);
    tap(protobuf_is_sound((struct bytes){(const uint8_t *)"\x09"
                                                          "12345678\x0d"
                                                          "1234",
                                         14},
                          NULL),
        "fixed numbers are skipped");
    nested();
    return tap_done();
}
