/* A command line, one word a line of the input. */
#include "options.h"

#include <string.h>

#include "target.h"

#define WORDS_MAX 64

static void demand_sound(const struct options *options)
{
    demand(options->timeout > 0, "there is no time");
    switch (options->word) {
    case WORD_WHOIS:
        demand(strlen(options->source.address) >= 7 && strlen(options->destination.address) >= 7, "an end is missing");
        demand(options->source.v6 == options->destination.v6, "the ends are of two families");
        break;
    case WORD_BEGIN:
        demand(options->has_uid || (options->user != NULL && options->user[0] != '\0'), "a job has no owner");
        demand(options->job > 0, "a job has no number");
        break;
    case WORD_END:
        demand(options->job > 0, "a job has no number");
        break;
    case WORD_CONNECT:
        demand(options->host != NULL && options->host[0] != '\0' && options->port > 0, "there is nobody to call");
        demand(options->within.milliseconds > 0, "there is no time to call");
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    char *text = malloc(length + 1);
    char *rest = text;
    char *words[WORDS_MAX + 1];
    int count = 0;
    struct options options;

    demand(text != NULL, "no memory");
    memcpy(text, bytes, length);
    text[length] = '\0';
    for (char *word = strsep(&rest, "\n"); word != NULL && count < WORDS_MAX; word = strsep(&rest, "\n"))
        words[count++] = word;
    words[count] = NULL;
    if (options_parse(&options, words))
        demand_sound(&options);
    free(text);
    return 0;
}
