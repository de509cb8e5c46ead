/* With real sockets on loopback: the one that was accepted stays open in this process, as in sshd. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "connection.h"
#include "tap.h"

static struct problem problem;

static void must(int result, const char *what)
{
    if (result < 0) {
        perror(what);
        exit(1);
    }
}

/* Both ends are in this process; only the accepted one has the local port of the listener. */
struct pair {
    int listener;
    int caller;
    int accepted;
    uint16_t port;        /* the listener's */
    uint16_t caller_port; /* the caller's */
};

static int socket_of(const struct sockaddr *name)
{
    int off = 0;
    int fd = socket(name->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

    must(fd, "socket");
    if (name->sa_family == AF_INET6)
        must(setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off), "IPV6_V6ONLY");
    return fd;
}

static struct sockaddr_storage name_of(const char *address, uint16_t port)
{
    struct sockaddr_storage name = {0};

    if (strchr(address, ':') != NULL) {
        struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&name;
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons(port);
        inet_pton(AF_INET6, address, &v6->sin6_addr);
    } else {
        struct sockaddr_in *v4 = (struct sockaddr_in *)&name;
        v4->sin_family = AF_INET;
        v4->sin_port = htons(port);
        inet_pton(AF_INET, address, &v4->sin_addr);
    }
    return name;
}

static uint16_t port_of(int fd)
{
    struct sockaddr_storage name;
    socklen_t length = sizeof name;

    must(getsockname(fd, (struct sockaddr *)&name, &length), "getsockname");
    return ntohs(((struct sockaddr_in *)&name)->sin_port); /* the port lies in the same place in both families */
}

static void call(struct pair *pair, const char *to)
{
    struct sockaddr_storage name = name_of(to, pair->port);

    pair->caller = socket_of((struct sockaddr *)&name);
    must(connect(pair->caller, (struct sockaddr *)&name, sizeof name), "connect");
    pair->accepted = accept4(pair->listener, NULL, NULL, SOCK_CLOEXEC);
    must(pair->accepted, "accept");
    pair->caller_port = port_of(pair->caller);
}

static struct pair listen_and_call(const char *at, const char *to)
{
    struct sockaddr_storage name = name_of(at, 0);
    struct pair pair = {.listener = socket_of((struct sockaddr *)&name)};

    must(bind(pair.listener, (struct sockaddr *)&name, sizeof name), "bind");
    must(listen(pair.listener, 4), "listen");
    pair.port = port_of(pair.listener);
    call(&pair, to);
    return pair;
}

static void close_pair(struct pair *pair)
{
    close(pair->caller);
    close(pair->accepted);
    close(pair->listener);
}

static bool find(const char *host, uint16_t port, struct connection *found)
{
    problem.text[0] = '\0';
    return connection_find(host, &port, 1, found, &problem);
}

static bool is_loopback(const struct connection *found, const struct pair *pair, const char *address)
{
    struct address wanted;

    return address_parse(address, &wanted) && found->local.length == wanted.length
           && memcmp(&found->local, &wanted, sizeof wanted) == 0 && memcmp(&found->remote, &wanted, sizeof wanted) == 0
           && found->local_port == pair->port && found->remote_port == pair->caller_port;
}

static void finds_each_family(void)
{
    struct connection found;
    struct pair pair = listen_and_call("127.0.0.1", "127.0.0.1");

    tap(find("127.0.0.1", pair.port, &found) && is_loopback(&found, &pair, "127.0.0.1"), "an IPv4 connection is found");
    tap(find("::ffff:127.0.0.1", pair.port, &found), "a v4-mapped PAM_RHOST means the IPv4 address");
    close_pair(&pair);
    pair = listen_and_call("::1", "::1");
    tap(find("::1", pair.port, &found) && is_loopback(&found, &pair, "::1"), "an IPv6 connection is found");
    tap(find("::1%lo", pair.port, &found), "a zone in PAM_RHOST is dropped");
    tap(find("0:0:0:0:0:0:0:1", pair.port, &found), "another spelling of the address is the same");
    tap(!find("127.0.0.1", pair.port, &found), "another family's address is not it");
    close_pair(&pair);
    pair = listen_and_call("::", "127.0.0.1");
    tap(find("127.0.0.1", pair.port, &found) && is_loopback(&found, &pair, "127.0.0.1"),
        "an IPv4 call to a dual-stack listener is found as IPv4");
    close_pair(&pair);
}

static void finds_exactly_one(void)
{
    struct connection found;
    struct pair pair = listen_and_call("127.0.0.1", "127.0.0.1");
    struct pair second = pair;
    struct pair other;
    uint16_t ports[2] = {1, pair.port};
    int copy = dup(pair.accepted);

    tap(find("127.0.0.1", pair.port, &found), "two descriptors of one socket are one connection");
    close(copy);
    tap(connection_find("127.0.0.1", ports, 2, &found, &problem), "each of several ports is looked at");
    tap(!find("127.0.0.1", 1, &found) && problem.text[0] != '\0', "a wrong port is none: %s", problem.text);
    tap(!find("127.0.0.2", pair.port, &found) && problem.text[0] != '\0', "a wrong peer is none: %s", problem.text);
    other = listen_and_call("127.0.0.1", "127.0.0.1");
    tap(find("127.0.0.1", pair.port, &found) && found.local_port == pair.port,
        "a connection to another port does not disturb");
    close_pair(&other);
    call(&second, "127.0.0.1");
    tap(!find("127.0.0.1", pair.port, &found) && strstr(problem.text, "2 established") != NULL,
        "two connections are unknown: %s", problem.text);
    shutdown(second.caller, SHUT_WR);
    recv(second.accepted, &(char){0}, 1, 0); /* returns 0 once the FIN is there */
    tap(find("127.0.0.1", pair.port, &found) && found.remote_port == pair.caller_port,
        "a connection that its peer has closed does not count");
    close(second.caller);
    close(second.accepted);
    close(pair.caller);
    close(pair.accepted);
    tap(!find("127.0.0.1", pair.port, &found), "a listener is not a connection");
    close(pair.listener);
}

static void refuses_bad_hosts(void)
{
    static const char *const BAD[] = {
        "node1.cluster", "",          "127.0.0",
        "127.0.0.1%lo",  "1.2.3.4.5", "%",
        "::1::",         "UNKNOWN",   "0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000"};
    struct connection found;

    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        tap(!find(BAD[i], 22, &found) && problem.text[0] != '\0', "PAM_RHOST \"%s\" is unknown: %s", BAD[i],
            problem.text);
    tap(!find("UNKNOWN", 22, &found) && strstr(problem.text, "a unix socket") != NULL, "a unix socket is named");
    tap(!find(NULL, 22, &found) && problem.text[0] != '\0', "no PAM_RHOST is unknown: %s", problem.text);
}

static void leaves_nothing_open(void)
{
    struct connection found;
    int before = dup(0);

    close(before);
    for (int i = 0; i < 100; i++)
        find("127.0.0.1", 1, &found);
    tap(dup(0) == before, "a hundred searches leave no descriptor open");
}

int main(void)
{
    finds_each_family();
    finds_exactly_one();
    refuses_bad_hosts();
    leaves_nothing_open();
    return tap_done();
}
