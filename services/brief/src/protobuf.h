/* Messages of Protocol Buffers, field by field. The command's few fields are named by their numbers beside the code
 * that uses them, after proto/src/main/proto/rollcall/v1; what a newer agent adds is skipped. */
#ifndef ROLLCALL_PROTOBUF_H
#define ROLLCALL_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A message, or a string of one: its bytes are another's. */
struct bytes {
    const uint8_t *at;
    size_t length;
};

struct field {
    uint32_t number;
    uint64_t value;      /* of a number; 0 for what has bytes */
    struct bytes inside; /* of a string or a message; empty for a number */
};

/* Takes the next field off the message. False at its end, and where the rest cannot be read: *broken is set then. */
bool protobuf_next(struct bytes *message, struct field *field, bool *broken);

/* The last field of this number, as the format wants; zero and empty if there is none, or if the message is broken. */
struct field protobuf_get(struct bytes message, uint32_t number);

/* The fields of a message that are messages, up to number 0. NULL: none that is read here. */
struct nested {
    uint32_t number;
    const struct nested *inside;
};

/* Whether the whole message can be read, and each of these inside of it. */
bool protobuf_is_sound(struct bytes message, const struct nested *nested);

#define PROTOBUF_MAX (16 * 1024 - 4) /* of a user's request, with the header of its frame */

/* A message that is being written. What does not fit sets overflow, and the rest is dropped. */
struct writing {
    uint8_t bytes[PROTOBUF_MAX];
    size_t length;
    bool overflow;
};

/* A number that is 0 is left out, as proto3 does. */
void protobuf_put_number(struct writing *to, uint32_t number, uint64_t value);

/* Also if it is empty: a message that is there is not one that is absent. */
void protobuf_put_bytes(struct writing *to, uint32_t number, const void *bytes, size_t length);

/* Left out if it is empty. */
void protobuf_put_text(struct writing *to, uint32_t number, const char *text);

/* Also if it is empty. */
void protobuf_put_message(struct writing *to, uint32_t number, const struct writing *message);

#endif
