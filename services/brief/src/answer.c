#include "answer.h"

#include <stdlib.h>
#include <string.h>

/* RFC 9113 section 6. */
enum frame {
    FRAME_DATA = 0,
    FRAME_HEADERS = 1,
    FRAME_RST_STREAM = 3,
    FRAME_SETTINGS = 4,
    FRAME_PING = 6,
    FRAME_GOAWAY = 7,
    FRAME_CONTINUATION = 9
};

#define FLAG_ACK 0x1
#define FLAG_END_STREAM 0x1
#define FLAG_END_HEADERS 0x4
#define FLAG_PADDED 0x8
#define FLAG_PRIORITY 0x20
#define OURS 1
#define PING_LENGTH 8

static uint32_t number(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

size_t frame_length(const uint8_t header[FRAME_HEADER])
{
    return (size_t)header[0] << 16 | (size_t)header[1] << 8 | header[2];
}

/* What is between the padding, and behind what came before it. */
static bool unpad(uint8_t flags, size_t before, const uint8_t **payload, size_t *length)
{
    size_t padding = 0;

    if ((flags & FLAG_PADDED) != 0) {
        if (*length < 1)
            return false;
        padding = (*payload)[0];
        before++;
    }
    if (*length < before + padding)
        return false;
    *payload += before;
    *length -= before + padding;
    return true;
}

static bool take_block(struct answer *answer, const uint8_t *part, size_t length, bool last)
{
    if (length > sizeof answer->block - answer->block_length)
        return false;
    if (length > 0)
        memcpy(answer->block + answer->block_length, part, length);
    answer->block_length += length;
    answer->in_block = !last;
    if (!last)
        return true;
    if (!hpack_read(answer->block, answer->block_length, &answer->headers))
        return false;
    answer->block_length = 0;
    answer->over = answer->ends;
    return true;
}

static bool take_data(struct answer *answer, const uint8_t *part, size_t length)
{
    if (answer->data == NULL)
        answer->data = malloc(ANSWER_MAX + GRPC_PREFIX);
    if (answer->data == NULL)
        return false;
    if (length > ANSWER_MAX + GRPC_PREFIX - answer->data_length) {
        answer->too_large = true;
        answer->over = true;
        return true;
    }
    if (length > 0)
        memcpy(answer->data + answer->data_length, part, length);
    answer->data_length += length;
    return true;
}

/* The same frame, said back as heard. */
static void acknowledge(const uint8_t header[FRAME_HEADER], const uint8_t *payload, size_t length, uint8_t *reply,
                        size_t *reply_length)
{
    memcpy(reply, header, FRAME_HEADER);
    reply[2] = (uint8_t)length;
    reply[4] = FLAG_ACK;
    if (length > 0)
        memcpy(reply + FRAME_HEADER, payload, length);
    *reply_length = FRAME_HEADER + length;
}

static bool take_ours(struct answer *answer, uint8_t type, uint8_t flags, const uint8_t *payload, size_t length)
{
    if (answer->over)
        return true;
    switch (type) {
    case FRAME_HEADERS:
        if (!unpad(flags, (flags & FLAG_PRIORITY) != 0 ? 5 : 0, &payload, &length))
            return false;
        answer->ends = (flags & FLAG_END_STREAM) != 0;
        return take_block(answer, payload, length, (flags & FLAG_END_HEADERS) != 0);
    case FRAME_CONTINUATION:
        return take_block(answer, payload, length, (flags & FLAG_END_HEADERS) != 0);
    case FRAME_DATA:
        if (!unpad(flags, 0, &payload, &length) || !take_data(answer, payload, length))
            return false;
        answer->over = answer->over || (flags & FLAG_END_STREAM) != 0;
        return true;
    case FRAME_RST_STREAM:
        if (length != 4)
            return false;
        answer->reset = true;
        answer->reset_code = number(payload);
        answer->over = true;
        return true;
    default:
        return true;
    }
}

static bool take_connections(struct answer *answer, const uint8_t header[FRAME_HEADER], const uint8_t *payload,
                             size_t length, uint8_t reply[REPLY_MAX], size_t *reply_length)
{
    bool acknowledged = (header[4] & FLAG_ACK) != 0;

    switch (header[3]) {
    case FRAME_SETTINGS:
        answer->greeted = true;
        if (!acknowledged)
            acknowledge(header, payload, 0, reply, reply_length);
        return length % 6 == 0;
    case FRAME_PING:
        if (length != PING_LENGTH)
            return false;
        if (!acknowledged)
            acknowledge(header, payload, length, reply, reply_length);
        return true;
    case FRAME_GOAWAY:
        if (length < 8)
            return false;
        answer->going = (number(payload) & 0x7fffffff) < OURS;
        return true;
    case FRAME_DATA:
    case FRAME_HEADERS:
    case FRAME_RST_STREAM:
    case FRAME_CONTINUATION:
        return false;
    default:
        return true;
    }
}

bool answer_take(struct answer *answer, const uint8_t header[FRAME_HEADER], const uint8_t *payload,
                 uint8_t reply[REPLY_MAX], size_t *reply_length)
{
    size_t length = frame_length(header);
    uint32_t stream = number(header + 5) & 0x7fffffff;

    *reply_length = 0;
    /* Between the frames of a block there are no others. */
    if (length > FRAME_MAX || (answer->in_block != (header[3] == FRAME_CONTINUATION)))
        return false;
    if (stream == 0)
        return take_connections(answer, header, payload, length, reply, reply_length);
    return stream == OURS && take_ours(answer, header[3], header[4], payload, length);
}

bool answer_message(const struct answer *answer, const uint8_t **bytes, size_t *length)
{
    if (answer->data_length < GRPC_PREFIX || answer->data[0] != 0
        || number(answer->data + 1) != answer->data_length - GRPC_PREFIX)
        return false;
    *bytes = answer->data + GRPC_PREFIX;
    *length = answer->data_length - GRPC_PREFIX;
    return true;
}
