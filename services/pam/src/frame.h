/* One message on the login socket: its length as 4 bytes, network order, then that many bytes of protobuf
 * (docs/login-socket-protocol.md). */
#ifndef ROLLCALL_FRAME_H
#define ROLLCALL_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "problem.h"
#include "rollcall/loginsocket/v1/login_socket.pb.h"

#define FRAME_HEADER 4
#define FRAME_REQUEST_MAX (FRAME_HEADER + 2048)
#define FRAME_REPLY_MAX (FRAME_HEADER + 32768)

/* The frame's length; 0 if the request does not fit, which its bounds exclude. */
size_t frame_encode(const rollcall_loginsocket_v1_LoginRequest *request, uint8_t frame[FRAME_REQUEST_MAX]);

/* Bytes that the whole reply takes, header and all, as far as the received bytes tell: FRAME_HEADER until the header is
 * whole. 0: the header announces more than FRAME_REPLY_MAX. */
size_t frame_expected(const uint8_t *frame, size_t received);

/* length: exactly what frame_expected said. */
bool frame_decode(const uint8_t *frame, size_t length, rollcall_loginsocket_v1_LoginReply *reply,
                  struct problem *problem);

#endif
