#include "login_socket.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* A connection attempt that found the agent's backlog full is repeated after this long: no event tells that there is
 * room again. */
#define BACKLOG_PAUSE_MS 5

/* Nor that an agent listens at last. */
#define START_PAUSE_MS 20

static bool is_over(struct deadline deadline, const char *path, const char *stage, struct problem *problem)
{
    if (deadline_left(deadline) > 0)
        return false;
    problem_set(problem, "deadline passed while %s %.80s", stage, path);
    return true;
}

static int smaller(int one, int other)
{
    return one < other ? one : other;
}

/* Nobody listens: the agent is being started, or nobody does that. */
static bool nobody_listens(int error)
{
    return error == ENOENT || error == ECONNREFUSED;
}

static bool connect_in_time(int fd, const char *path, struct deadline start, int timeout_ms, struct deadline *deadline,
                            struct problem *problem)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};

    *deadline = deadline_in(timeout_ms);
    if (strlen(path) >= sizeof name.sun_path)
        return problem_set(problem, "socket path is too long: %.80s", path);
    strcpy(name.sun_path, path);
    while (connect(fd, (const struct sockaddr *)&name, sizeof name) < 0) {
        int error = errno;

        if (nobody_listens(error) && deadline_left(start) > 0) {
            poll(NULL, 0, smaller(START_PAUSE_MS, deadline_left(start)));
            *deadline = deadline_in(timeout_ms);
            continue;
        }
        if (error != EAGAIN && error != EINTR) {
            errno = error;
            return problem_set(problem, "cannot connect to %.80s: %m", path);
        }
        if (error == EAGAIN)
            poll(NULL, 0, smaller(BACKLOG_PAUSE_MS, deadline_left(*deadline)));
        if (is_over(*deadline, path, "connecting to", problem))
            return false;
    }
    return true;
}

/* The credentials are those of the process that called listen(2). Whoever could put a socket in that place without
 * being root must not decide about logins. */
static bool is_agents(int fd, const char *path, struct problem *problem)
{
    struct ucred peer;
    socklen_t length = sizeof peer;

    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0)
        return problem_set(problem, "cannot find the owner of %.80s: %m", path);
    if (peer.uid != 0 && peer.uid != geteuid())
        return problem_set(problem, "%.80s belongs to a process of uid %u, not of root", path, (unsigned)peer.uid);
    return true;
}

/* Its process has ended, or has closed the connection without a word. */
static bool is_gone(int error)
{
    return error == EPIPE || error == ECONNRESET;
}

/* False once the deadline has passed. An error on the socket is reported by the call that follows. */
static bool ready(int fd, short event, const char *path, struct deadline deadline, struct problem *problem)
{
    struct pollfd waiting = {.fd = fd, .events = event};

    for (;;) {
        if (is_over(deadline, path, "waiting for", problem))
            return false;
        if (poll(&waiting, 1, deadline_left(deadline)) > 0)
            return true;
    }
}

static bool send_all(int fd, const uint8_t *bytes, size_t length, const char *path, struct deadline deadline,
                     enum login_socket_end *end, struct problem *problem)
{
    while (length > 0) {
        ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL);

        if (sent >= 0) {
            bytes += sent;
            length -= (size_t)sent;
        } else if (errno == EAGAIN) {
            if (!ready(fd, POLLOUT, path, deadline, problem))
                return false;
        } else if (errno != EINTR) {
            *end = is_gone(errno) ? LOGIN_SOCKET_GONE : LOGIN_SOCKET_FAILED;
            return problem_set(problem, "cannot send to %.80s: %m", path);
        }
    }
    return true;
}

static void keep(struct descriptors *descriptors, int fd)
{
    if (descriptors->count < DESCRIPTORS_MAX)
        descriptors->fds[descriptors->count++] = fd;
    else
        close(fd);
}

static void keep_all(struct msghdr *message, struct descriptors *descriptors)
{
    for (struct cmsghdr *control = CMSG_FIRSTHDR(message); control != NULL; control = CMSG_NXTHDR(message, control)) {
        size_t count = (control->cmsg_len - CMSG_LEN(0)) / sizeof(int);

        if (control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS)
            continue;
        for (size_t i = 0; i < count; i++) {
            int fd;

            memcpy(&fd, CMSG_DATA(control) + i * sizeof fd, sizeof fd);
            keep(descriptors, fd);
        }
    }
}

/* As recv(2), with what comes beside the bytes. */
static ssize_t receive_some(int fd, uint8_t *bytes, size_t size, struct descriptors *descriptors)
{
    char control[CMSG_SPACE(DESCRIPTORS_MAX * sizeof(int))] __attribute__((aligned(_Alignof(struct cmsghdr))));
    struct iovec part = {.iov_base = bytes, .iov_len = size};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t received = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);

    if (received >= 0)
        keep_all(&message, descriptors);
    return received;
}

/* The whole reply's length, header and all; 0 if none came. */
static size_t receive_frame(int fd, uint8_t frame[FRAME_REPLY_MAX], struct descriptors *descriptors, const char *path,
                            struct deadline deadline, enum login_socket_end *end, struct problem *problem)
{
    size_t received = 0;

    for (;;) {
        size_t expected = frame_expected(frame, received);
        ssize_t length;

        if (expected == 0 || received > expected) {
            problem_set(problem, "%.80s sent %s", path,
                        expected == 0 ? "a reply that is too long" : "more than one reply");
            return 0;
        }
        if (received >= FRAME_HEADER && received == expected)
            return received;
        /* Not only where there is nothing to read: byte by byte, a reply could go on for longer. */
        if (is_over(deadline, path, "reading from", problem))
            return 0;
        length = receive_some(fd, frame + received, FRAME_REPLY_MAX - received, descriptors);
        if (length > 0) {
            received += (size_t)length;
        } else if (length == 0) {
            *end = received == 0 ? LOGIN_SOCKET_GONE : LOGIN_SOCKET_FAILED;
            problem_set(problem, "%.80s closed after %zu of %zu bytes", path, received, expected);
            return 0;
        } else if (errno == EAGAIN) {
            if (!ready(fd, POLLIN, path, deadline, problem))
                return 0;
        } else if (errno != EINTR) {
            *end = is_gone(errno) ? LOGIN_SOCKET_GONE : LOGIN_SOCKET_FAILED;
            problem_set(problem, "cannot read from %.80s: %m", path);
            return 0;
        }
    }
}

static enum login_socket_end exchange(int fd, const char *path, struct deadline deadline,
                                      rollcall_loginsocket_v1_LoginRequest *request,
                                      rollcall_loginsocket_v1_LoginReply *reply, struct descriptors *descriptors,
                                      struct problem *problem)
{
    uint8_t frame[FRAME_REPLY_MAX];
    enum login_socket_end end = LOGIN_SOCKET_FAILED;
    size_t length;

    request->patience_ms = (uint32_t)deadline_left(deadline);
    length = frame_encode(request, frame);
    if (length == 0) {
        problem_set(problem, "the request does not fit its frame");
        return LOGIN_SOCKET_FAILED;
    }
    if (!send_all(fd, frame, length, path, deadline, &end, problem))
        return end;
    length = receive_frame(fd, frame, descriptors, path, deadline, &end, problem);
    return length > 0 && frame_decode(frame, length, reply, problem) ? LOGIN_SOCKET_ANSWERED : end;
}

int login_socket_connect(const char *path, struct deadline start, int timeout_ms, struct deadline *deadline,
                         struct problem *problem)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0) {
        problem_set(problem, "cannot make a socket: %m");
        return -1;
    }
    if (connect_in_time(fd, path, start, timeout_ms, deadline, problem) && is_agents(fd, path, problem))
        return fd;
    close(fd);
    return -1;
}

enum login_socket_end login_socket_ask(int fd, const char *path, struct deadline deadline,
                                       rollcall_loginsocket_v1_LoginRequest *request,
                                       rollcall_loginsocket_v1_LoginReply *reply, struct descriptors *descriptors,
                                       struct problem *problem)
{
    enum login_socket_end end;

    descriptors->count = 0;
    if (fd < 0)
        return LOGIN_SOCKET_FAILED;
    end = exchange(fd, path, deadline, request, reply, descriptors, problem);
    close(fd);
    if (end != LOGIN_SOCKET_ANSWERED)
        descriptors_close(descriptors);
    return end;
}
