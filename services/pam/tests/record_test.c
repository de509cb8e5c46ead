#include "record.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

#define WRITERS 8
#define RECORDS 200

static char directory[] = "/tmp/rollcall-record.XXXXXX";
static int opened;
static char log_path[64];
static struct problem problem;

static void log_is(mode_t mode, off_t size)
{
    int fd = open(log_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    if (fd < 0 || fchmod(fd, mode) < 0 || ftruncate(fd, size) < 0 || close(fd) < 0) {
        perror(log_path);
        exit(1);
    }
}

static void refused(const char *word, const char *what)
{
    problem.text[0] = '\0';
    if (!tap(record_open(opened, &problem) < 0 && strstr(problem.text, word) != NULL, "%s", what))
        tap_say("%s", problem.text);
}

static void unusable_logs(void)
{
    refused("No such file", "a log that is missing is named");
    log_is(0622, 0);
    refused("writable", "a log that others write is not written to");
    log_is(0600, RECORD_LOG_MAX);
    refused("full", "a log without room is full");
    unlink(log_path);
    if (mkfifo(log_path, 0600) < 0)
        exit(1);
    refused("cannot open", "a FIFO that nobody reads does not hold a login up");
    unlink(log_path);
    if (symlink("/dev/null", log_path) < 0)
        exit(1);
    refused("cannot open", "a symbolic link is not followed");
    unlink(log_path);
}

static uint32_t number(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void one_record(void)
{
    static const uint8_t digits[] = "123456789";
    uint8_t bytes[RECORD_MAX];
    rollcall_login_v1_Record record = rollcall_login_v1_Record_init_zero;
    size_t length;

    record.version = 1;
    record.job_id = 42;
    length = record_encode(&record, bytes);
    tap(length == RECORD_AROUND + 4 && number(bytes) == RECORD_MARK && bytes[4] == 4 && bytes[5] == 0,
        "a record begins with its mark and its length");
    /* The check value of CRC-32C. */
    tap(record_crc(digits, 9) == 0xe3069283u, "its checksum is CRC-32C");
    memset(&record, 0xff, sizeof record);
    memset(record.reason, 'r', sizeof record.reason - 1);
    record.reason[sizeof record.reason - 1] = '\0';
    tap(rollcall_login_v1_Record_size + RECORD_AROUND <= RECORD_MAX, "the longest record fits");
}

/* Each in a process of its own. */
static void writes(uint32_t uid)
{
    rollcall_login_v1_Record record = rollcall_login_v1_Record_init_zero;

    record.uid = uid;
    memset(record.user, 'u', (size_t)(uid % 200) + 1);
    for (uint64_t i = 1; i <= RECORDS; i++) {
        int log = record_open(opened, &problem);

        record.job_id = i;
        if (log < 0 || !record_write(opened, log, &record, &problem))
            _exit(1);
        close(log);
    }
    _exit(0);
}

static int whole_records(void)
{
    static uint8_t bytes[RECORD_LOG_MAX];
    int fd = open(log_path, O_RDONLY);
    ssize_t size = fd < 0 ? -1 : read(fd, bytes, sizeof bytes);
    int found = 0;

    for (ssize_t at = 0; at + RECORD_AROUND <= size; found++) {
        uint32_t length = number(bytes + at + 4);

        if (number(bytes + at) != RECORD_MARK || at + RECORD_AROUND + (ssize_t)length > size
            || record_crc(bytes + at + RECORD_AROUND, length) != number(bytes + at + 8))
            break;
        at += RECORD_AROUND + (ssize_t)length;
    }
    close(fd);
    return found;
}

/* As the agent does with a log that is large. */
static void replaced_meanwhile(void)
{
    rollcall_login_v1_Record record = rollcall_login_v1_Record_init_zero;
    char new_path[sizeof log_path + 4];
    struct stat old;
    int log;

    log_is(0600, 0);
    log = record_open(opened, &problem);
    snprintf(new_path, sizeof new_path, "%s.new", log_path);
    close(open(new_path, O_WRONLY | O_CREAT, 0600));
    rename(new_path, log_path);
    tap(record_write(opened, log, &record, &problem) && whole_records() == 1,
        "a record whose log was replaced meanwhile is in the present log");
    tap(fstat(log, &old) == 0 && old.st_nlink == 0 && old.st_size > 0, "and in the old one");
    close(log);
    log = record_open(opened, &problem);
    unlink(log_path);
    tap(!record_write(opened, log, &record, &problem), "a record that is in no log with a name is not written");
    log_is(0600, RECORD_LOG_MAX);
    tap(!record_write(opened, log, &record, &problem), "nor is one whose present log is full");
    close(log);
    unlink(log_path);
}

static void many_writers(void)
{
    int bad = 0;

    log_is(0600, 0);
    for (uint32_t i = 0; i < WRITERS; i++)
        if (fork() == 0)
            writes(1000 + 37 * i);
    for (int i = 0; i < WRITERS; i++) {
        int status = 1;

        wait(&status);
        bad += status != 0;
    }
    tap(bad == 0 && whole_records() == WRITERS * RECORDS, "%d records of %d processes at once are whole",
        WRITERS * RECORDS, WRITERS);
}

int main(void)
{
    if (mkdtemp(directory) == NULL)
        return 1;
    opened = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    snprintf(log_path, sizeof log_path, "%s/log", directory);
    unusable_logs();
    one_record();
    replaced_meanwhile();
    many_writers();
    unlink(log_path);
    rmdir(directory);
    return tap_done();
}
