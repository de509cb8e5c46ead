#include "frame.h"

#include <string.h>

/* The fields of CallRequest, CallReply and CallEnd. */
enum request_field { REQUEST_METHOD = 1, REQUEST_MESSAGES = 2, REQUEST_TIMEOUT = 3 };
enum reply_field { REPLY_MESSAGE = 1, REPLY_END = 2 };
enum end_field { END_CODE = 1, END_TEXT = 2 };

size_t frame_encode(const char *method, const struct writing *message, uint32_t timeout_ms,
                    uint8_t frame[FRAME_REQUEST_MAX])
{
    static struct writing request;

    request = (struct writing){.length = 0};
    protobuf_put_text(&request, REQUEST_METHOD, method);
    protobuf_put_message(&request, REQUEST_MESSAGES, message);
    protobuf_put_number(&request, REQUEST_TIMEOUT, timeout_ms);
    if (request.overflow)
        return 0;
    frame[0] = (uint8_t)(request.length >> 24);
    frame[1] = (uint8_t)(request.length >> 16);
    frame[2] = (uint8_t)(request.length >> 8);
    frame[3] = (uint8_t)request.length;
    memcpy(frame + FRAME_HEADER, request.bytes, request.length);
    return FRAME_HEADER + request.length;
}

size_t frame_length(const uint8_t header[FRAME_HEADER])
{
    return (size_t)header[0] << 24 | (size_t)header[1] << 16 | (size_t)header[2] << 8 | header[3];
}

bool frame_decode(struct bytes content, const struct nested *nested, struct reply *reply)
{
    struct bytes end = protobuf_get(content, REPLY_END).inside;

    if (end.at == NULL || !protobuf_is_sound(end, NULL))
        return false;
    reply->code = (int)protobuf_get(end, END_CODE).value;
    reply->text = protobuf_get(end, END_TEXT).inside;
    reply->message = protobuf_get(content, REPLY_MESSAGE).inside;
    return reply->code != 0 || (reply->message.at != NULL && protobuf_is_sound(reply->message, nested));
}
