/* The command line of rollcall-enter, one word a line of the input. */
#include "enter_options.h"

#include <string.h>

#include "target.h"

#define WORDS_MAX 64

static void demand_sound(const struct enter_options *options, char **words, int count)
{
    bool named = false;

    for (int i = 0; i < KINDS; i++) {
        demand(options->where[i] == NULL || options->where[i][0] != '\0', "a namespace has no place");
        named = named || options->where[i] != NULL;
    }
    demand(!options->session || options->command == NULL, "a session has a command");
    demand(options->command != NULL || options->session || options->task != NULL, "there is no command");
    demand(options->task == NULL || (options->pins == NULL && !named), "namespaces are beside a task's");
    demand(options->pins == NULL || (options->pins[0] != '\0' && !named), "pins are beside namespaces");
    if (options->session) {
        demand(options->pins == NULL && !named, "a session has something beside");
        return;
    }
    if (options->task != NULL) {
        pid_t pid;

        demand(enter_options_process(options->task, &pid), "a task is neither any nor a number");
        return;
    }
    demand(options->command > words && options->command < words + count && options->command[0] != NULL,
           "the command is not among the words");
    demand(strcmp(options->command[-1], "--") == 0, "the command does not follow --");
    demand(options->pins != NULL || (options->where[KIND_USER] != NULL && options->where[KIND_MOUNT] != NULL),
           "users and mounts are not both there");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    char *text = malloc(length + 1);
    char *rest = text;
    char *words[WORDS_MAX + 1];
    int count = 0;
    struct enter_options options;
    struct problem problem = {""};

    demand(text != NULL, "no memory");
    memcpy(text, bytes, length);
    text[length] = '\0';
    for (char *word = strsep(&rest, "\n"); word != NULL && count < WORDS_MAX; word = strsep(&rest, "\n"))
        words[count++] = word;
    words[count] = NULL;
    if (enter_options_parse(&options, count, words, &problem))
        demand_sound(&options, words, count);
    else
        demand(problem.text[0] != '\0', "a refused command line has no reason");
    free(text);
    return 0;
}
