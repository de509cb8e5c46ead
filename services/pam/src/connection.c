#include "connection.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "system_calls.h"

/* The kernel's state number (include/net/tcp_states.h); glibc's <netinet/tcp.h> has it, but not beside <linux/tcp.h>.
 */
#define TCP_STATE_ESTABLISHED 1

static void address_from_v6(const uint8_t bytes[16], struct address *address)
{
    static const uint8_t V4_MAPPED[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

    memset(address, 0, sizeof *address);
    if (memcmp(bytes, V4_MAPPED, sizeof V4_MAPPED) == 0) {
        address->length = 4;
        memcpy(address->bytes, bytes + sizeof V4_MAPPED, 4);
    } else {
        address->length = 16;
        memcpy(address->bytes, bytes, 16);
    }
}

static void address_from_v4(const uint8_t bytes[4], struct address *address)
{
    memset(address, 0, sizeof *address);
    address->length = 4;
    memcpy(address->bytes, bytes, 4);
}

static bool address_equal(const struct address *one, const struct address *other)
{
    return one->length == other->length && memcmp(one->bytes, other->bytes, one->length) == 0;
}

bool address_parse(const char *text, struct address *address)
{
    char numeric[INET6_ADDRSTRLEN];
    uint8_t bytes[16];
    size_t length = strcspn(text, "%");

    if (length >= sizeof numeric)
        return false;
    memcpy(numeric, text, length);
    numeric[length] = '\0';
    if (inet_pton(AF_INET6, numeric, bytes) == 1) {
        address_from_v6(bytes, address);
        return true;
    }
    if (text[length] == '\0' && inet_pton(AF_INET, numeric, bytes) == 1) {
        address_from_v4(bytes, address);
        return true;
    }
    return false;
}

/* False for a family without addresses of ours. */
static bool endpoint_from(const struct sockaddr_storage *name, struct address *address, uint16_t *port)
{
    if (name->ss_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)name;

        address_from_v4((const uint8_t *)&v4->sin_addr, address);
        *port = ntohs(v4->sin_port);
        return true;
    }
    if (name->ss_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)name;

        address_from_v6(v6->sin6_addr.s6_addr, address);
        *port = ntohs(v6->sin6_port);
        return true;
    }
    return false;
}

/* False if the descriptor is not an ESTABLISHED TCP socket. */
static bool connection_of(int fd, struct connection *connection)
{
    struct sockaddr_storage name = {0};
    struct tcp_info info = {0};
    socklen_t length;
    int protocol;

    length = sizeof protocol;
    if (getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &length) < 0 || protocol != IPPROTO_TCP)
        return false;
    length = sizeof info;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) < 0 || info.tcpi_state != TCP_STATE_ESTABLISHED)
        return false;
    length = sizeof name;
    if (getsockname(fd, (struct sockaddr *)&name, &length) < 0
        || !endpoint_from(&name, &connection->local, &connection->local_port))
        return false;
    length = sizeof name;
    return getpeername(fd, (struct sockaddr *)&name, &length) == 0
           && endpoint_from(&name, &connection->remote, &connection->remote_port);
}

/* Unique for each socket while the machine is up (Linux 4.12). */
static uint64_t cookie_of(int fd)
{
    uint64_t cookie = 0;
    socklen_t length = sizeof cookie;

    getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &length);
    return cookie;
}

static bool is_one_of(uint16_t port, const uint16_t *ports, size_t port_count)
{
    for (size_t i = 0; i < port_count; i++) {
        if (ports[i] == port)
            return true;
    }
    return false;
}

struct search {
    const struct address *remote;
    const uint16_t *ports;
    size_t port_count;
    struct connection *found;
    uint64_t cookie;
    int matches;
};

static void consider(struct search *search, int fd)
{
    struct connection connection;
    uint64_t cookie;

    if (!connection_of(fd, &connection) || !address_equal(&connection.remote, search->remote)
        || !is_one_of(connection.local_port, search->ports, search->port_count))
        return;
    cookie = cookie_of(fd);
    if (search->matches > 0 && cookie != 0 && cookie == search->cookie)
        return;
    search->cookie = cookie;
    search->matches++;
    *search->found = connection;
}

/* Not strtol(3): "." and ".." are not numbers, and all else is what the kernel wrote. */
static int descriptor_named(const char *name)
{
    int fd = 0;

    if (name[0] < '0' || name[0] > '9')
        return -1;
    for (; *name >= '0' && *name <= '9'; name++)
        fd = fd * 10 + (*name - '0');
    return fd;
}

/* getdents64(2) into a buffer of ours: opendir(3) would allocate. */
static bool consider_all(struct search *search, struct problem *problem)
{
    char entries[4096] __attribute__((aligned(8)));
    ssize_t length;
    int directory = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (directory < 0)
        return problem_set(problem, "cannot open /proc/self/fd: %m");
    while ((length = call_getdents64(directory, entries, sizeof entries)) > 0) {
        for (ssize_t at = 0; at < length;) {
            const struct dirent64 *entry = (const struct dirent64 *)(entries + at);
            int fd = descriptor_named(entry->d_name);

            if (fd >= 0 && fd != directory)
                consider(search, fd);
            at += entry->d_reclen;
        }
    }
    if (length < 0)
        problem_set(problem, "cannot read /proc/self/fd: %m");
    close(directory);
    return length == 0;
}

bool connection_find(const char *remote_host, const uint16_t *ports, size_t port_count, struct connection *found,
                     struct problem *problem)
{
    struct address remote;
    struct search search = {.remote = &remote, .ports = ports, .port_count = port_count, .found = found};

    if (remote_host == NULL || remote_host[0] == '\0')
        return problem_set(problem, "PAM_RHOST is not set");
    if (strcmp(remote_host, "UNKNOWN") == 0) /* OpenSSH's word for a peer without an address */
        return problem_set(problem, "sshd's connection is not TCP but a unix socket or a pipe: PAM_RHOST is UNKNOWN");
    if (!address_parse(remote_host, &remote))
        return problem_set(problem, "PAM_RHOST is not a numeric address (UseDNS?): %.64s", remote_host);
    if (!consider_all(&search, problem))
        return false;
    if (search.matches == 0)
        problem_set(problem, "no established connection from %.64s to port %u%s", remote_host, (unsigned)ports[0],
                    port_count > 1 ? " or the others" : "");
    else if (search.matches > 1)
        problem_set(problem, "%d established connections from %.64s, not one", search.matches, remote_host);
    return search.matches == 1;
}
