#include "options.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MINUTE_MS (60 * UINT64_C(1000))
#define LONGEST_SPAN_MS (10 * MINUTE_MS)
#define MOST_POSITIONS 2

/* Decimal, without sign or leading zeros. */
static bool number(const char *text, uint64_t most, uint64_t *value)
{
    size_t digits = strspn(text, "0123456789");

    if (digits == 0 || digits > 10 || text[digits] != '\0' || (text[0] == '0' && digits > 1))
        return false;
    *value = strtoull(text, NULL, 10);
    return *value <= most;
}

static bool job(const char *text, uint32_t *id)
{
    uint64_t value;

    if (!number(text, UINT32_MAX, &value) || value == 0)
        return false;
    *id = (uint32_t)value;
    return true;
}

static bool port(const char *text, uint16_t *port)
{
    uint64_t value;

    if (!number(text, UINT16_MAX, &value))
        return false;
    *port = (uint16_t)value;
    return true;
}

static bool span(const char *text, struct span *span)
{
    size_t digits = strspn(text, "0123456789");
    const char *unit = text + digits;
    uint64_t value = strtoull(text, NULL, 10);

    if (digits == 0 || digits > 9)
        return false;
    if (strcmp(unit, "ms") == 0)
        span->milliseconds = value;
    else if (unit[0] == '\0' || strcmp(unit, "s") == 0)
        span->milliseconds = value * 1000;
    else if (strcmp(unit, "m") == 0)
        span->milliseconds = value * MINUTE_MS;
    else
        return false;
    return span->milliseconds <= LONGEST_SPAN_MS;
}

static bool address_v6(const char *text, struct endpoint *endpoint)
{
    struct in6_addr in;

    if (inet_pton(AF_INET6, text, &in) != 1 || IN6_IS_ADDR_V4MAPPED(&in))
        return false;
    endpoint->v6 = true;
    return inet_ntop(AF_INET6, &in, endpoint->address, sizeof endpoint->address) != NULL; /* RFC 5952 */
}

static bool address(const char *text, struct endpoint *endpoint)
{
    size_t length = strlen(text);
    char bare[INET6_ADDRSTRLEN + 2];
    struct in_addr in;

    if (length < 2 || length >= sizeof bare)
        return false;
    if (text[0] == '[' && text[length - 1] == ']') {
        memcpy(bare, text + 1, length - 2);
        bare[length - 2] = '\0';
        return address_v6(bare, endpoint);
    }
    endpoint->v6 = false;
    return inet_pton(AF_INET, text, &in) == 1
           && inet_ntop(AF_INET, &in, endpoint->address, sizeof endpoint->address) != NULL;
}

static bool endpoint(const char *text, struct endpoint *endpoint)
{
    const char *colon = strrchr(text, ':');
    char host[INET6_ADDRSTRLEN + 3];

    if (colon == NULL || (size_t)(colon - text) >= sizeof host)
        return false;
    memcpy(host, text, (size_t)(colon - text));
    host[colon - text] = '\0';
    return port(colon + 1, &endpoint->port) && address(host, endpoint);
}

/* The options of each word, and how the value of each is read. */
enum option {
    OPTION_SOCKET,
    OPTION_TIMEOUT,
    OPTION_JSON,
    OPTION_UDP,
    OPTION_USER,
    OPTION_UID,
    OPTION_GID,
    OPTION_BATCH_ENVIRONMENT,
    OPTION_GRACE,
    OPTION_MESSAGE,
    OPTION_WAIT,
    OPTION_JOB,
    OPTION_WITHIN,
    OPTIONS
};

#define OF(word) (1U << (word))
#define OF_ALL (OF(WORD_WHOIS) | OF(WORD_BEGIN) | OF(WORD_END) | OF(WORD_CONNECT))

static const struct {
    const char *name;
    unsigned words;
    bool valued;
} known[OPTIONS] = {
    [OPTION_SOCKET] = {"--socket", OF_ALL, true},
    [OPTION_TIMEOUT] = {"--timeout", OF_ALL, true},
    [OPTION_JSON] = {"--json", OF(WORD_WHOIS) | OF(WORD_BEGIN) | OF(WORD_END), false},
    [OPTION_UDP] = {"--udp", OF(WORD_WHOIS), false},
    [OPTION_USER] = {"--user", OF(WORD_BEGIN) | OF(WORD_END), true},
    [OPTION_UID] = {"--uid", OF(WORD_BEGIN) | OF(WORD_END), true},
    [OPTION_GID] = {"--gid", OF(WORD_BEGIN), true},
    [OPTION_BATCH_ENVIRONMENT] = {"--batch-environment", OF(WORD_BEGIN), false},
    [OPTION_GRACE] = {"--grace", OF(WORD_END), true},
    [OPTION_MESSAGE] = {"--message", OF(WORD_END), true},
    [OPTION_WAIT] = {"--wait", OF(WORD_END), true},
    [OPTION_JOB] = {"--job", OF(WORD_CONNECT), true},
    [OPTION_WITHIN] = {"--within", OF(WORD_CONNECT), true},
};

static bool set(struct options *options, enum option option, const char *value)
{
    uint64_t value_number;

    switch (option) {
    case OPTION_SOCKET:
        options->socket = value;
        return true;
    case OPTION_TIMEOUT:
        if (!number(value, INT32_MAX / 1000 - 1000, &value_number) || value_number == 0)
            return false;
        options->timeout = (int)value_number;
        return true;
    case OPTION_JSON:
        options->json = true;
        return true;
    case OPTION_UDP:
        options->udp = true;
        return true;
    case OPTION_USER:
        options->user = value;
        return true;
    case OPTION_UID:
        options->has_uid = number(value, UINT32_MAX - 1, &value_number);
        options->uid = (uint32_t)value_number;
        return options->has_uid;
    case OPTION_GID:
        options->has_gid = number(value, UINT32_MAX - 1, &value_number);
        options->gid = (uint32_t)value_number;
        return options->has_gid;
    case OPTION_BATCH_ENVIRONMENT:
        options->batch_environment = true;
        return true;
    case OPTION_GRACE:
        options->has_grace = true;
        return span(value, &options->grace);
    case OPTION_MESSAGE:
        options->message = value;
        return true;
    case OPTION_WAIT:
        return span(value, &options->wait);
    case OPTION_JOB:
        return job(value, &options->job);
    case OPTION_WITHIN:
        return span(value, &options->within) && options->within.milliseconds > 0;
    case OPTIONS:
        break;
    }
    return false;
}

/* A word that begins with a dash, with its value behind '=' or as the next word. */
static bool option(struct options *options, char ***words, unsigned *seen)
{
    char *word = **words;
    size_t length = strcspn(word, "=");

    for (int i = 0; i < OPTIONS; i++) {
        const char *value = NULL;

        if (strlen(known[i].name) != length || strncmp(known[i].name, word, length) != 0)
            continue;
        if ((known[i].words & OF(options->word)) == 0 || (*seen & 1U << i) != 0)
            return false;
        *seen |= 1U << i;
        if (!known[i].valued)
            return word[length] == '\0' && set(options, (enum option)i, "");
        if (word[length] == '=')
            value = word + length + 1;
        else
            value = *++*words;
        /* A value that looks like an option, or like a file of words, has rules of its own. */
        if (value == NULL || value[0] == '-' || value[0] == '@' || value[0] == '"' || value[0] == '\'')
            return false;
        if (value[0] == '\0' && i != OPTION_MESSAGE)
            return false;
        return set(options, (enum option)i, value);
    }
    return false;
}

static bool position(struct options *options, int index, const char *word)
{
    switch (options->word) {
    case WORD_WHOIS:
        return endpoint(word, index == 0 ? &options->source : &options->destination);
    case WORD_CONNECT:
        if (index == 0) {
            options->host = word;
            return true;
        }
        return port(word, &options->port) && options->port > 0;
    case WORD_BEGIN:
    case WORD_END:
        return job(word, &options->job);
    }
    return false;
}

static bool complete(const struct options *options, int positions)
{
    switch (options->word) {
    case WORD_WHOIS:
        return positions == 2 && options->source.v6 == options->destination.v6;
    case WORD_CONNECT:
        return positions == 2;
    case WORD_BEGIN:
        return positions == 1 && (options->user != NULL) != options->has_uid;
    case WORD_END:
        return positions == 1 && (options->user == NULL || !options->has_uid);
    }
    return false;
}

static bool begins(struct options *options, char ***words)
{
    char *first = **words;
    char *second = first == NULL ? NULL : (*words)[1];

    if (first == NULL)
        return false;
    *words += 1;
    if (strcmp(first, "whois") == 0) {
        options->word = WORD_WHOIS;
        return true;
    }
    if (strcmp(first, "connect") == 0) {
        options->word = WORD_CONNECT;
        return true;
    }
    if (strcmp(first, "job") != 0 || second == NULL)
        return false;
    *words += 1;
    options->word = strcmp(second, "begin") == 0 ? WORD_BEGIN : WORD_END;
    return strcmp(second, "begin") == 0 || strcmp(second, "end") == 0;
}

/* Root's own socket, or where that cannot be used, the one for all users. */
static const char *default_socket(void)
{
    const char *root = "/run/rollcall/root.sock";

    return access(root, W_OK) == 0 ? root : "/run/rollcall/agent.sock";
}

bool options_parse(struct options *options, char **words)
{
    unsigned seen = 0;
    int positions = 0;

    *options = (struct options){
        .socket = default_socket(), .timeout = 10, .wait = {MINUTE_MS}, .within = {20 * UINT64_C(1000)}};
    if (!begins(options, &words))
        return false;
    for (; *words != NULL; words++) {
        const char first = **words;

        if (first == '-') {
            if (!option(options, &words, &seen))
                return false;
        } else if (first == '\0' || first == '@' || first == '"' || first == '\'' || positions == MOST_POSITIONS
                   || !position(options, positions, *words)) {
            return false;
        } else {
            positions++;
        }
    }
    return complete(options, positions);
}
