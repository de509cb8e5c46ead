/* The headers of an answer in HTTP/2, in the compression of RFC 7541. This side announces a dynamic table of no bytes,
 * so a block is read by itself. */
#ifndef ROLLCALL_HPACK_H
#define ROLLCALL_HPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HPACK_TEXT_MAX 4096

/* What counts of the headers and trailers of a gRPC call. */
struct headers {
    int http_status;              /* 0: none was told */
    int grpc_status;              /* -1: none was told */
    char message[HPACK_TEXT_MAX]; /* grpc-message as it came, cut if it is longer */
};

/* Adds what a block has to what is known. False: it cannot be read. */
bool hpack_read(const uint8_t *block, size_t length, struct headers *headers);

#endif
