/* The log in which the module notes what it did with a login, for the agent. */
#ifndef ROLLCALL_RECORD_H
#define ROLLCALL_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "problem.h"
#include "rollcall/login/v1/login.pb.h"

/* In the log each record is: RECORD_MARK, 4 bytes; the length of the message and its CRC-32C (RFC 3720, appendix B.4),
 * 4 bytes each; the message. The mark is where a reader goes on behind a record that was cut. */
#define RECORD_MARK 0x674c4352u /* "RCLg", the lowest byte first, as all numbers here */
#define RECORD_AROUND 12
#define RECORD_MAX 4096

/* Without a reader the log grows up to this; then the agent is asked. */
#define RECORD_LOG_MAX (4 * 1024 * 1024)

/* Opens the log of a login directory, which is open, for one record. -1, and problem says why: it is missing, no
 * regular file of root's alone, or has no room. Whoever has it closes it. */
int record_open(int directory, struct problem *problem);

/* Appends a record by one write(2), so that records of several logins do not mix. The agent may have replaced the log
 * since it was opened, and reads the old one only for some time: then the record is appended to the present log of the
 * login directory as well, and the agent drops one of the two by their id. */
bool record_write(int directory, int log, const rollcall_login_v1_Record *record, struct problem *problem);

/* The bytes of a record as they stand in the log; their number, or 0: it is too long. */
size_t record_encode(const rollcall_login_v1_Record *record, uint8_t bytes[RECORD_MAX]);

uint32_t record_crc(const uint8_t *bytes, size_t length);

#endif
