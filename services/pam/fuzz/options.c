/* The words of a PAM line, one a line of the input. */
#include "options.h"

#include <string.h>

#include "target.h"

#define WORDS_MAX 16

static void demand_bounds(const struct options *options)
{
    demand(options->port_count >= 1 && options->port_count <= OPTIONS_PORTS_MAX, "there is no port, or too many");
    for (size_t i = 0; i < options->port_count; i++)
        demand(options->ports[i] != 0, "a port is 0");
    demand(options->timeout_ms >= 1 && options->timeout_ms <= 5000, "the deadline is out of its bounds");
    demand(options->socket_path[0] == '/' && memchr(options->socket_path, '\0', sizeof options->socket_path) != NULL,
           "the socket has no path");
    demand(options->service[0] != '\0' && memchr(options->service, '\0', sizeof options->service) != NULL,
           "the service has no name");
    demand(memchr(options->node_name, '\0', sizeof options->node_name) != NULL, "the node's name has no end");
    demand((int)options->log_level >= LOG_LEVEL_QUIET && (int)options->log_level <= LOG_LEVEL_DEBUG5,
           "the log level is out of its bounds");
    demand(options->action_adopt_failure == ACTION_DENY || options->action_adopt_failure == ACTION_ALLOW,
           "action_adopt_failure is none of its words");
    demand(options->action_generic_failure != ACTION_NEWEST, "action_generic_failure is none of its words");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    char *text = malloc(length + 1);
    char *rest = text;
    const char *words[WORDS_MAX];
    int count = 0;
    struct options options;
    struct options again;
    struct problem problem = {""};
    struct problem unread = {""};

    demand(text != NULL, "no memory");
    memcpy(text, bytes, length);
    text[length] = '\0';
    for (char *word = strsep(&rest, "\n"); word != NULL && count < WORDS_MAX; word = strsep(&rest, "\n"))
        words[count++] = word;
    memset(&options, 0, sizeof options);
    memset(&again, 0xff, sizeof again);
    if (!options_parse(&options, count, words, &problem))
        demand(problem.text[0] != '\0', "a refused option has no reason");
    else
        demand(problem.text[0] == '\0', "options that are taken have a problem");
    demand_bounds(&options);
    /* Whatever stood there before: nothing is left over from it. */
    options_parse(&again, count, words, &unread);
    demand(strcmp(problem.text, unread.text) == 0 && strcmp(options.socket_path, again.socket_path) == 0
               && strcmp(options.service, again.service) == 0 && strcmp(options.node_name, again.node_name) == 0
               && options.ignore_root == again.ignore_root
               && options.action_generic_failure == again.action_generic_failure
               && options.timeout_ms == again.timeout_ms,
           "the same words are read otherwise");
    free(text);
    return 0;
}
