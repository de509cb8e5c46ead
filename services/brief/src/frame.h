/* The two frames of a unary call on a local socket of the agent: a length as 4 bytes, network order, then that many
 * bytes of rollcall.localsocket.v1.CallRequest or CallReply. Does no I/O. */
#ifndef ROLLCALL_BRIEF_FRAME_H
#define ROLLCALL_BRIEF_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protobuf.h"

#define FRAME_HEADER 4
#define FRAME_REQUEST_MAX (FRAME_HEADER + PROTOBUF_MAX)
#define FRAME_REPLY_MAX (1024 * 1024 + 1024) /* without its header: a message of 1 MiB, and its end */

/* Encodes the call of a method with one message. Returns the frame's length; 0: it does not fit. */
size_t frame_encode(const char *method, const struct writing *message, uint32_t timeout_ms,
                    uint8_t frame[FRAME_REQUEST_MAX]);

/* Returns the length in a header, whatever it is. */
size_t frame_length(const uint8_t header[FRAME_HEADER]);

/* The reply that ends a unary call. Its bytes are the frame's. */
struct reply {
    int code; /* of gRPC; 0: the call succeeded, and there is a message */
    struct bytes text;
    struct bytes message;
};

/* Decodes a frame's content. False: it cannot be read, has no end, or is a success without a message that can be read
 * with all that is nested in it. */
bool frame_decode(struct bytes content, const struct nested *nested, struct reply *reply);

#endif
