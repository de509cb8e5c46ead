#include "frame.h"

#include <pb_decode.h>
#include <pb_encode.h>

/* The bounds of login_socket.options hold the limit of the protocol. A reply is only read here: what is longer than its
 * frame never comes. */
_Static_assert(rollcall_loginsocket_v1_LoginRequest_size <= FRAME_REQUEST_MAX - FRAME_HEADER,
               "a request is longer than its frame");

size_t frame_encode(const rollcall_loginsocket_v1_LoginRequest *request, uint8_t frame[FRAME_REQUEST_MAX])
{
    pb_ostream_t stream = pb_ostream_from_buffer(frame + FRAME_HEADER, FRAME_REQUEST_MAX - FRAME_HEADER);
    size_t length;

    if (!pb_encode(&stream, rollcall_loginsocket_v1_LoginRequest_fields, request))
        return 0;
    length = stream.bytes_written;
    frame[0] = (uint8_t)(length >> 24);
    frame[1] = (uint8_t)(length >> 16);
    frame[2] = (uint8_t)(length >> 8);
    frame[3] = (uint8_t)length;
    return FRAME_HEADER + length;
}

size_t frame_expected(const uint8_t *frame, size_t received)
{
    uint32_t length;

    if (received < FRAME_HEADER)
        return FRAME_HEADER;
    length = (uint32_t)frame[0] << 24 | (uint32_t)frame[1] << 16 | (uint32_t)frame[2] << 8 | frame[3];
    return length > FRAME_REPLY_MAX - FRAME_HEADER ? 0 : FRAME_HEADER + (size_t)length;
}

bool frame_decode(const uint8_t *frame, size_t length, rollcall_loginsocket_v1_LoginReply *reply,
                  struct problem *problem)
{
    pb_istream_t stream = pb_istream_from_buffer(frame + FRAME_HEADER, length - FRAME_HEADER);

    if (pb_decode(&stream, rollcall_loginsocket_v1_LoginReply_fields, reply))
        return true;
    return problem_set(problem, "the reply cannot be read: %s", PB_GET_ERROR(&stream));
}
