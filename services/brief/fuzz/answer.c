/* All that an agent could send on a connection: frames of HTTP/2, one after the other. */
#include "answer.h"

#include <string.h>

#include "protobuf.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static struct answer answer;
    const uint8_t *message;
    size_t message_length;

    answer = (struct answer){.headers = {.grpc_status = -1}};
    while (length >= FRAME_HEADER && !answer.over) {
        size_t payload = frame_length(bytes);
        uint8_t reply[REPLY_MAX];
        size_t reply_length = 0;

        if (payload > FRAME_MAX || payload > length - FRAME_HEADER
            || !answer_take(&answer, bytes, bytes + FRAME_HEADER, reply, &reply_length))
            break;
        demand(reply_length <= sizeof reply, "a reply outgrew its place");
        bytes += FRAME_HEADER + payload;
        length -= FRAME_HEADER + payload;
    }
    demand(strlen(answer.headers.message) < HPACK_TEXT_MAX, "the message has no end");
    demand(answer.block_length <= HEADERS_MAX && answer.data_length <= ANSWER_MAX + GRPC_PREFIX, "too much is kept");
    if (answer_message(&answer, &message, &message_length)) {
        struct bytes whole = {message, message_length};
        struct bytes inside = protobuf_get(whole, 1).inside;

        demand(inside.length <= message_length, "a field is larger than its message");
        demand(protobuf_is_sound(whole) || inside.at == NULL, "a broken message has a field");
    }
    free(answer.data);
    answer.data = NULL;
    return 0;
}
