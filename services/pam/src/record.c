#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <pb_encode.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "login_files.h"
#include "system_calls.h"

_Static_assert(rollcall_login_v1_Record_size + RECORD_AROUND <= RECORD_MAX, "a record is too long");

#define LOG "the log of logins"
#define LOG_NAME "log"

/* The agent replaces a log at most once in some seconds. */
#define REPLACED_MAX 3

/* CRC-32C, the lowest bit first. */
#define CASTAGNOLI 0x82f63b78u

uint32_t record_crc(const uint8_t *bytes, size_t length)
{
    uint32_t crc = ~0u;

    for (size_t i = 0; i < length; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? CASTAGNOLI : 0);
    }
    return ~crc;
}

static void put_number(uint8_t bytes[4], uint32_t number)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(number >> (8 * i));
}

size_t record_encode(const rollcall_login_v1_Record *record, uint8_t bytes[RECORD_MAX])
{
    pb_ostream_t stream = pb_ostream_from_buffer(bytes + RECORD_AROUND, RECORD_MAX - RECORD_AROUND);

    if (!pb_encode(&stream, rollcall_login_v1_Record_fields, record))
        return 0;
    put_number(bytes, RECORD_MARK);
    put_number(bytes + 4, (uint32_t)stream.bytes_written);
    put_number(bytes + 8, record_crc(bytes + RECORD_AROUND, stream.bytes_written));
    return RECORD_AROUND + stream.bytes_written;
}

static bool usable(int log, struct problem *problem)
{
    struct stat file;

    if (login_trusted(log, S_IFREG, LOG, &file, problem) != LOGIN_READ)
        return false;
    if (file.st_size <= RECORD_LOG_MAX - RECORD_MAX)
        return true;
    return problem_set(problem, LOG " is full: %lld bytes that the agent has not read", (long long)file.st_size);
}

int record_open(int directory, struct problem *problem)
{
    /* A FIFO does not hold a login up: O_NONBLOCK. */
    int log = openat(directory, LOG_NAME, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (log < 0) {
        problem_set(problem, "cannot open " LOG ": %m");
        return -1;
    }
    if (usable(log, problem))
        return log;
    close(log);
    return -1;
}

static bool append(int log, const uint8_t *bytes, size_t length, struct problem *problem)
{
    ssize_t written = -1;

    do
        written = write(log, bytes, length);
    while (written < 0 && errno == EINTR);
    if (written < 0)
        problem_set(problem, "cannot append to " LOG ": %m");
    else if ((size_t)written < length)
        problem_set(problem, LOG " took %zd of %zu bytes", written, length);
    return written == (ssize_t)length;
}

/* Whether this log is still the one with its name. */
static bool is_present(int directory, int log)
{
    struct stat own;
    struct stat named;

    return call_fstat(log, &own) == 0 && call_fstatat(directory, LOG_NAME, &named, AT_SYMLINK_NOFOLLOW) == 0
           && own.st_dev == named.st_dev && own.st_ino == named.st_ino;
}

bool record_write(int directory, int log, const rollcall_login_v1_Record *record, struct problem *problem)
{
    uint8_t bytes[RECORD_MAX];
    size_t length = record_encode(record, bytes);
    int present = log;
    bool done;

    if (length == 0)
        return problem_set(problem, "the record of the login is longer than %d bytes", RECORD_MAX);
    done = append(log, bytes, length, problem);
    for (int more = REPLACED_MAX; done && more > 0 && !is_present(directory, present); more--) {
        int next = record_open(directory, problem);

        done = next >= 0 && append(next, bytes, length, problem);
        if (present != log)
            close(present);
        present = next;
    }
    if (present != log && present >= 0)
        close(present);
    return done;
}
