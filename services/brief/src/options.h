/* The words of a command line that this program understands. What it does not understand, wrong or right, is for the
 * command in Java: so there is one place that says what is wrong with it. */
#ifndef ROLLCALL_OPTIONS_H
#define ROLLCALL_OPTIONS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

enum word { WORD_WHOIS, WORD_BEGIN, WORD_END, WORD_CONNECT };

/* As people write a time: 90, 90s, 500ms, 2m. */
struct span {
    uint64_t milliseconds;
};

struct endpoint {
    char address[INET6_ADDRSTRLEN + 16]; /* as Java writes it: all eight numbers of IPv6 */
    uint16_t port;
    bool v6;
};

struct options {
    enum word word;
    const char *socket;
    int timeout; /* seconds, at least 1 */
    bool json;
    bool udp;
    struct endpoint source;
    struct endpoint destination;
    uint32_t job;     /* 0: none is named */
    const char *user; /* NULL: none is named */
    bool has_uid;
    uint32_t uid;
    bool batch_environment;
    bool has_gid;
    uint32_t gid;
    bool has_grace;
    struct span grace;
    struct span wait;
    const char *message; /* NULL: the usual one */
    struct span within;
    const char *host;
    uint16_t port;
};

/* The words behind the program's name, ended by NULL; the options point into them. False: they are for Java. */
bool options_parse(struct options *options, char **words);

#endif
