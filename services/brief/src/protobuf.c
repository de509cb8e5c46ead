#include "protobuf.h"

#include <string.h>

/* https://protobuf.dev/programming-guides/encoding/ */
enum wire { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

#define VARINT_MAX 10

static bool take_varint(struct bytes *message, uint64_t *value)
{
    *value = 0;
    for (int i = 0; i < VARINT_MAX && message->length > 0; i++) {
        uint8_t byte = *message->at;

        message->at++;
        message->length--;
        *value |= (uint64_t)(byte & 0x7f) << (7 * i);
        if ((byte & 0x80) == 0)
            return true;
    }
    return false;
}

static bool take(struct bytes *message, uint64_t length, struct bytes *taken)
{
    if (length > message->length)
        return false;
    *taken = (struct bytes){message->at, (size_t)length};
    message->at += length;
    message->length -= (size_t)length;
    return true;
}

static bool take_field(struct bytes *message, struct field *field)
{
    struct bytes skipped;
    uint64_t tag;
    uint64_t length;

    *field = (struct field){0};
    if (!take_varint(message, &tag) || tag >> 3 == 0 || tag > UINT32_MAX)
        return false;
    field->number = (uint32_t)(tag >> 3);
    switch (tag & 7) {
    case WIRE_VARINT:
        return take_varint(message, &field->value);
    case WIRE_BYTES:
        return take_varint(message, &length) && take(message, length, &field->inside);
    case WIRE_64:
        return take(message, 8, &skipped);
    case WIRE_32:
        return take(message, 4, &skipped);
    default:
        return false;
    }
}

bool protobuf_next(struct bytes *message, struct field *field, bool *broken)
{
    *broken = false;
    if (message->length == 0)
        return false;
    if (take_field(message, field))
        return true;
    *broken = true;
    return false;
}

struct field protobuf_get(struct bytes message, uint32_t number)
{
    struct field found = {0};
    struct field field;
    bool broken;

    while (protobuf_next(&message, &field, &broken)) {
        if (field.number == number)
            found = field;
    }
    return broken ? (struct field){0} : found;
}

bool protobuf_is_sound(struct bytes message, const struct nested *nested)
{
    struct field field;
    bool broken;

    while (protobuf_next(&message, &field, &broken)) {
        for (const struct nested *each = nested; each != NULL && each->number != 0; each++) {
            if (each->number == field.number && !protobuf_is_sound(field.inside, each->inside))
                return false;
        }
    }
    return !broken;
}

static void put(struct writing *to, const void *bytes, size_t length)
{
    if (to->overflow || length > sizeof to->bytes - to->length) {
        to->overflow = true;
        return;
    }
    if (length > 0)
        memcpy(to->bytes + to->length, bytes, length);
    to->length += length;
}

static void put_varint(struct writing *to, uint64_t value)
{
    uint8_t byte;

    for (; value > 0x7f; value >>= 7) {
        byte = (uint8_t)(value | 0x80);
        put(to, &byte, 1);
    }
    byte = (uint8_t)value;
    put(to, &byte, 1);
}

void protobuf_put_number(struct writing *to, uint32_t number, uint64_t value)
{
    if (value == 0)
        return;
    put_varint(to, (uint64_t)number << 3 | WIRE_VARINT);
    put_varint(to, value);
}

void protobuf_put_bytes(struct writing *to, uint32_t number, const void *bytes, size_t length)
{
    put_varint(to, (uint64_t)number << 3 | WIRE_BYTES);
    put_varint(to, length);
    put(to, bytes, length);
}

void protobuf_put_text(struct writing *to, uint32_t number, const char *text)
{
    if (text[0] != '\0')
        protobuf_put_bytes(to, number, text, strlen(text));
}

void protobuf_put_message(struct writing *to, uint32_t number, const struct writing *message)
{
    protobuf_put_bytes(to, number, message->bytes, message->length);
    to->overflow |= message->overflow;
}
