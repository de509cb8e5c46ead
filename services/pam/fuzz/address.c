/* PAM_RHOST, which is what the peer's name server says if sshd asks it. */
#include <arpa/inet.h>
#include <string.h>

#include "connection.h"
#include "target.h"

static void demand_round_trip(const struct address *address)
{
    char text[INET6_ADDRSTRLEN];
    struct address again;

    demand(address->length == 4 || address->length == 16, "an address has an odd length");
    demand(inet_ntop(address->length == 4 ? AF_INET : AF_INET6, address->bytes, text, sizeof text) != NULL,
           "an address cannot be written");
    demand(address_parse(text, &again) && again.length == address->length
               && memcmp(again.bytes, address->bytes, address->length) == 0,
           "an address that was read again is another one");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    char *text = malloc(length + 1);
    struct address address;

    demand(text != NULL, "no memory");
    memcpy(text, bytes, length);
    text[length] = '\0';
    if (address_parse(text, &address))
        demand_round_trip(&address);
    free(text);
    return 0;
}
