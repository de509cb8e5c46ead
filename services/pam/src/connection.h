/* Which of this process's descriptors is the connection that the user came by. */
#ifndef ROLLCALL_CONNECTION_H
#define ROLLCALL_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "problem.h"

struct address {
    uint8_t length; /* 4 or 16; a v4-mapped IPv6 address is held as the 4 bytes that it maps */
    uint8_t bytes[16];
};

struct connection {
    struct address local;
    struct address remote;
    uint16_t local_port;
    uint16_t remote_port;
};

/* A numeric address; a zone ("%eth0") is dropped, since a socket's name carries it apart from the address. */
bool address_parse(const char *text, struct address *address);

/* The one ESTABLISHED TCP connection among this process's descriptors whose peer is remote_host (numeric, as PAM_RHOST)
 * and whose local port is one of ports. None, or more than one, is false, with the reason in problem: never a guess.
 * Two descriptors of one socket are one connection. */
bool connection_find(const char *remote_host, const uint16_t *ports, size_t port_count, struct connection *found,
                     struct problem *problem);

#endif
