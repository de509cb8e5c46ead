#include "fake_socket.h"

#include <errno.h>
#include <pb_decode.h>
#include <pb_encode.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define REQUEST_MAX 4096
#define REPLY_MAX 65536

static void must(int result, const char *what)
{
    if (result < 0) {
        perror(what);
        _exit(2);
    }
}

static bool read_exactly(int fd, uint8_t *bytes, size_t length)
{
    while (length > 0) {
        ssize_t got = read(fd, bytes, length);

        if (got <= 0)
            return false;
        bytes += got;
        length -= (size_t)got;
    }
    return true;
}

/* The request without its header; 0 at the end or if it is too long. */
static size_t read_request(int fd, uint8_t request[REQUEST_MAX])
{
    uint8_t header[4];
    size_t length;

    if (!read_exactly(fd, header, sizeof header))
        return 0;
    length = (size_t)header[2] << 8 | header[3];
    if (header[0] != 0 || header[1] != 0 || length > REQUEST_MAX || !read_exactly(fd, request, length))
        return 0;
    return length;
}

static void fill_in_cgroup(int fd, rollcall_loginsocket_v1_LoginReply *reply)
{
    struct ucred peer;
    socklen_t length = sizeof peer;
    char name[64];
    char line[1024];
    FILE *cgroups;

    must(getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length), "SO_PEERCRED");
    snprintf(name, sizeof name, "/proc/%d/cgroup", (int)peer.pid);
    cgroups = fopen(name, "r");
    must(cgroups == NULL ? -1 : 0, name);
    /* The last line is v2's where there is one. */
    while (fgets(line, sizeof line, cgroups) != NULL) {
        char *controllers = strchr(line, ':') + 1;
        char *path = strchr(controllers, ':') + 1;

        path[strcspn(path, "\n")] = '\0';
        snprintf(reply->cgroup_path, sizeof reply->cgroup_path, "%s", path);
        snprintf(reply->cgroup_hierarchy, sizeof reply->cgroup_hierarchy, "%.*s", (int)strcspn(controllers, ",:"),
                 controllers);
    }
    fclose(cgroups);
}

static size_t encode(const rollcall_loginsocket_v1_LoginReply *reply, uint8_t frame[REPLY_MAX])
{
    pb_ostream_t stream = pb_ostream_from_buffer(frame + 4, REPLY_MAX - 4);

    if (!pb_encode(&stream, rollcall_loginsocket_v1_LoginReply_fields, reply)) {
        fprintf(stderr, "fake login socket: %s\n", PB_GET_ERROR(&stream));
        _exit(2);
    }
    frame[0] = frame[1] = 0;
    frame[2] = (uint8_t)(stream.bytes_written >> 8);
    frame[3] = (uint8_t)stream.bytes_written;
    return 4 + stream.bytes_written;
}

static void send_with_descriptors(int fd, uint8_t *frame, size_t length, const struct fake_answer *answer)
{
    size_t size = answer->descriptor_count * sizeof(int);
    char control[CMSG_SPACE(sizeof answer->descriptors)] __attribute__((aligned(_Alignof(struct cmsghdr)))) = {0};
    struct iovec part = {.iov_base = frame, .iov_len = length};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = CMSG_SPACE(size)};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);

    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(size);
    memcpy(CMSG_DATA(header), answer->descriptors, size);
    must((int)sendmsg(fd, &message, MSG_NOSIGNAL), "sendmsg");
}

static void send_slowly(int fd, const uint8_t *frame, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (send(fd, frame + i, 1, MSG_NOSIGNAL) < 0)
            return;
        poll(NULL, 0, 20);
    }
}

/* A peer that has given up is no failure of the test. */
static void send_frame(int fd, const uint8_t *frame, size_t length)
{
    if (send(fd, frame, length, MSG_NOSIGNAL) < 0)
        return;
}

static void answer(int fd, struct fake_answer answer)
{
    static uint8_t frame[2 * REPLY_MAX];
    size_t length;

    if (answer.where_peer_is)
        fill_in_cgroup(fd, &answer.reply);
    length = encode(&answer.reply, frame);
    switch (answer.manner) {
    case FAKE_REPLY:
        send_frame(fd, frame, length);
        break;
    case FAKE_BYTE_BY_BYTE:
        send_slowly(fd, frame, length);
        break;
    case FAKE_DESCRIPTORS:
        send_with_descriptors(fd, frame, length, &answer);
        break;
    case FAKE_TORN:
        memset(frame + 4, 0xff, length - 4);
        send_with_descriptors(fd, frame, length, &answer);
        break;
    case FAKE_TWICE:
        memcpy(frame + length, frame, length);
        send_frame(fd, frame, 2 * length);
        break;
    case FAKE_TRUNCATED:
        send_frame(fd, frame, length - 1);
        break;
    case FAKE_OVERSIZED:
        send_frame(fd, (const uint8_t[]){0, 0, 0x80, 1}, 4);
        break;
    case FAKE_GARBAGE:
        memset(frame, 0xff, 68);
        memcpy(frame, (const uint8_t[]){0, 0, 0, 64}, 4);
        send_frame(fd, frame, 68);
        break;
    case FAKE_EMPTY:
        send_frame(fd, (const uint8_t[]){0, 0, 0, 0}, 4);
        break;
    case FAKE_HANG_UP:
        break;
    case FAKE_SILENT:
        read_exactly(fd, frame, 1);
        break;
    }
}

static void serve(int listener, int requests, const struct fake_answer *answers, size_t count)
{
    for (size_t served = 0;; served++) {
        static uint8_t request[REQUEST_MAX];
        int fd = accept(listener, NULL, NULL);
        size_t length;

        must(fd, "accept");
        length = read_request(fd, request);
        if (length > 0) {
            must((int)send(requests, request, length, 0), "send");
            answer(fd, answers[served < count ? served : count - 1]);
        }
        close(fd);
    }
}

static int listen_at(const char *path)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    must(fd, "socket");
    snprintf(name.sun_path, sizeof name.sun_path, "%s", path);
    unlink(path);
    must(bind(fd, (struct sockaddr *)&name, sizeof name), path);
    return fd;
}

void fake_socket_open(struct fake_socket *login_socket, const char *path, uid_t uid, const struct fake_answer *answers,
                      size_t count)
{
    int listener = listen_at(path);
    int ends[2];
    int listening[2];
    char sign;

    must(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), "socketpair");
    must(pipe(listening), "pipe");
    login_socket->path = path;
    login_socket->requests = ends[0];
    login_socket->pid = fork();
    must(login_socket->pid, "fork");
    if (login_socket->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (uid != geteuid())
            must(setuid(uid), "setuid");
        must(listen(listener, 16), "listen"); /* after setuid: the peer sees the credentials of listen(2)'s caller */
        must((int)write(listening[1], "!", 1), "write");
        serve(listener, ends[1], answers, count);
    }
    close(listener);
    close(ends[1]);
    close(listening[1]);
    must(TEMP_FAILURE_RETRY(read(listening[0], &sign, 1)) == 1 ? 0 : -1, "fake login socket");
    close(listening[0]);
}

bool fake_socket_was_asked(struct fake_socket *login_socket)
{
    struct pollfd waiting = {.fd = login_socket->requests, .events = POLLIN};

    return poll(&waiting, 1, 0) > 0 && (waiting.revents & POLLIN) != 0;
}

bool fake_socket_request(struct fake_socket *login_socket, rollcall_loginsocket_v1_LoginRequest *request)
{
    static uint8_t bytes[REQUEST_MAX];
    struct pollfd waiting = {.fd = login_socket->requests, .events = POLLIN};
    pb_istream_t stream;
    ssize_t length;

    if (poll(&waiting, 1, 2000) <= 0)
        return false;
    length = recv(login_socket->requests, bytes, sizeof bytes, 0);
    if (length <= 0)
        return false;
    stream = pb_istream_from_buffer(bytes, (size_t)length);
    return pb_decode(&stream, rollcall_loginsocket_v1_LoginRequest_fields, request);
}

void fake_socket_close(struct fake_socket *login_socket)
{
    kill(login_socket->pid, SIGKILL);
    waitpid(login_socket->pid, NULL, 0);
    close(login_socket->requests);
    unlink(login_socket->path);
}
