/* What comes back on a connection of HTTP/2 that carries one gRPC call: one stream, number 1. It only reads; whatever
 * the bytes are, what is kept of them is bounded. */
#ifndef ROLLCALL_ANSWER_H
#define ROLLCALL_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hpack.h"

#define FRAME_HEADER 9
#define FRAME_MAX 16384          /* what a peer may send that was told nothing else: RFC 9113 section 6.5.2 */
#define HEADERS_MAX 16384        /* of one block, in all its frames */
#define ANSWER_MAX (1024 * 1024) /* the largest message of the wire: wire.grpc.MessageLimits */
#define GRPC_PREFIX 5
#define REPLY_MAX 32 /* what one frame is answered with, at most */

struct answer {
    struct headers headers;
    bool greeted; /* the server has said that it is one */
    uint8_t block[HEADERS_MAX];
    size_t block_length;
    bool in_block;      /* a block goes on in the next frame */
    bool ends;          /* the stream ends with that block */
    uint8_t *data;      /* the message behind its prefix of gRPC; NULL until something came */
    size_t data_length; /* prefix and all */
    bool over;
    bool reset;
    uint32_t reset_code;
    bool going; /* the server answers no more */
    bool too_large;
};

/* The frame's length without its header. The server is told no other maximum; more is a broken connection. */
size_t frame_length(const uint8_t header[FRAME_HEADER]);

/* Takes in a frame. What is to be said to it is written to reply, its length to *reply_length. False: this is no
 * HTTP/2, or no gRPC. */
bool answer_take(struct answer *answer, const uint8_t header[FRAME_HEADER], const uint8_t *payload,
                 uint8_t reply[REPLY_MAX], size_t *reply_length);

/* The one message, once the stream is over. False: there is none, or what came is none. */
bool answer_message(const struct answer *answer, const uint8_t **bytes, size_t *length);

#endif
