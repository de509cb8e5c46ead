/* A whole conversation at the login socket, with an agent that sends what it likes in pieces as it likes, and
 * descriptors beside some of them. The input's first byte is a number of pieces less one, the next ones say of each
 * piece how long it is, and how many descriptors come with it; the rest is sent. */
#include "login_socket.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "deadline.h"
#include "frame.h"
#include "target.h"

/* The agent always closes in the end, so this passes only if the module waits for nothing. */
#define DEADLINE_MS 20000
#define PIECES_MAX 8
/* As many as the kernel passes in one message (SCM_MAX_FD, unix(7)) would be 253. */
#define DESCRIPTORS_SENT_MAX 40

static const uint8_t *sent;
static size_t sent_length;
static sem_t asked;
static sem_t answered;
static int listener;
static char path[64];

static void send_piece(int fd, const uint8_t *bytes, size_t length, size_t descriptors)
{
    static const uint8_t NOTHING[1];
    union {
        char bytes[CMSG_SPACE(DESCRIPTORS_SENT_MAX * sizeof(int))];
        struct cmsghdr aligned;
    } control = {.bytes = {0}};
    struct iovec part = {.iov_base = (void *)(uintptr_t)(length > 0 ? bytes : NOTHING), .iov_len = length};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

    if (descriptors > 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(descriptors * sizeof(int));
        control.aligned = (struct cmsghdr){
            .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(descriptors * sizeof(int))};
        for (size_t i = 0; i < descriptors; i++)
            memcpy(CMSG_DATA(&control.aligned) + i * sizeof(int), &(int){STDERR_FILENO}, sizeof(int));
    }
    /* The module may have gone when it has seen enough. */
    (void)!sendmsg(fd, &message, MSG_NOSIGNAL);
}

static void send_all_pieces(int fd)
{
    size_t pieces = sent_length > 0 ? sent[0] % PIECES_MAX + 1 : 0;
    size_t at = 1 + 2 * pieces;

    if (sent_length < at)
        return;
    for (size_t i = 0; i < pieces; i++) {
        size_t length = sent[1 + 2 * i];
        size_t descriptors = sent[2 + 2 * i] % (DESCRIPTORS_SENT_MAX + 1);

        if (i + 1 == pieces || length > sent_length - at)
            length = sent_length - at;
        send_piece(fd, sent + at, length, descriptors);
        at += length;
    }
}

static void *answer_all(void *unused)
{
    static uint8_t request[FRAME_REQUEST_MAX];

    for (;;) {
        int fd;

        sem_wait(&asked);
        fd = accept(listener, NULL, NULL);
        demand(fd >= 0, "the fuzz target cannot accept");
        demand(recv(fd, request, sizeof request, 0) > 0, "the module asks nothing");
        send_all_pieces(fd);
        close(fd);
        sem_post(&answered);
    }
    return unused;
}

static void open_login_socket(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    pthread_t thread;

    snprintf(path, sizeof path, "/tmp/rollcall-fuzz-socket.%d", (int)getpid());
    snprintf(name.sun_path, sizeof name.sun_path, "%s", path);
    unlink(path);
    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    demand(listener >= 0 && bind(listener, (struct sockaddr *)&name, sizeof name) == 0 && listen(listener, 4) == 0,
           "the fuzz target cannot listen");
    sem_init(&asked, 0, 0);
    sem_init(&answered, 0, 0);
    demand(pthread_create(&thread, NULL, answer_all, NULL) == 0, "the fuzz target has no thread");
}

static void close_login_socket(void)
{
    unlink(path);
}

static int lowest_free_descriptor(void)
{
    int fd = dup(STDERR_FILENO);

    close(fd);
    return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static rollcall_loginsocket_v1_LoginRequest request = rollcall_loginsocket_v1_LoginRequest_init_zero;
    static rollcall_loginsocket_v1_LoginReply reply;
    struct descriptors descriptors;
    struct problem problem = {""};
    struct deadline deadline;
    bool good;
    int lowest;
    int login_socket;

    if (listener == 0) {
        open_login_socket();
        atexit(close_login_socket);
    }
    lowest = lowest_free_descriptor();
    sent = bytes;
    sent_length = length;
    request.version = 1;
    reply = (rollcall_loginsocket_v1_LoginReply)rollcall_loginsocket_v1_LoginReply_init_zero;
    sem_post(&asked);
    login_socket = login_socket_connect(path, deadline_in(0), DEADLINE_MS, &deadline, &problem);
    good = login_socket_ask(login_socket, path, deadline, &request, &reply, &descriptors, &problem)
           == LOGIN_SOCKET_ANSWERED;
    sem_wait(&answered);
    demand(deadline_left(deadline) > 0, "the module waited for an agent that had gone");
    demand(good == (problem.text[0] == '\0'), good ? "an answer has a problem" : "no answer, and no reason");
    demand(good || descriptors.count == 0, "descriptors of no answer are kept");
    demand(descriptors.count <= DESCRIPTORS_MAX, "there are more descriptors than there is room for");
    descriptors_close(&descriptors);
    demand(lowest_free_descriptor() == lowest, "a descriptor is left open");
    return 0;
}
