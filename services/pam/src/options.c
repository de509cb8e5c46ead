#include "options.h"

#include <string.h>
#include <strings.h>

#define TIMEOUT_MS_MAX 5000
#define START_WAIT_MS_MAX 30000

static const struct options DEFAULTS = {
    .action_no_jobs = ACTION_DENY,
    .action_unknown = ACTION_NEWEST,
    .action_adopt_failure = ACTION_DENY,
    .action_generic_failure = ACTION_DENY,
    .ignore_root = true,
    .single_job_skip_rpc = true,
    .disable_x11 = true,
    .join_container = true,
    .choose = false,
    .log_level = LOG_LEVEL_INFO,
    .node_name = "",
    .service = "sshd",
    .stale = ACTION_ALLOW,
    .timeout_ms = 1250,
    .start_wait_ms = 5000,
    .ports = {22},
    .port_count = 1,
    .socket_path = "/run/rollcall/login.sock",
};

struct word {
    const char *text;
    int value;
};

static const struct word ACTIONS_NO_JOBS[] = {{"deny", ACTION_DENY}, {"ignore", ACTION_IGNORE}, {NULL, 0}};
static const struct word ACTIONS_UNKNOWN[] = {
    {"newest", ACTION_NEWEST}, {"allow", ACTION_ALLOW}, {"deny", ACTION_DENY}, {NULL, 0}};
static const struct word ACTIONS_ADOPT_FAILURE[] = {{"deny", ACTION_DENY}, {"allow", ACTION_ALLOW}, {NULL, 0}};
static const struct word ACTIONS_GENERIC_FAILURE[] = {
    {"deny", ACTION_DENY}, {"ignore", ACTION_IGNORE}, {"allow", ACTION_ALLOW}, {NULL, 0}};
static const struct word STALE[] = {{"allow", ACTION_ALLOW}, {"deny", ACTION_DENY}, {NULL, 0}};
static const struct word BOOLEANS[] = {{"1", true}, {"0", false}, {"true", true}, {"false", false}, {NULL, 0}};
static const struct word LOG_LEVELS[] = {{"quiet", 0},   {"fatal", 1},  {"error", 2},  {"info", 3},
                                         {"verbose", 4}, {"debug", 5},  {"debug2", 6}, {"debug3", 7},
                                         {"debug4", 8},  {"debug5", 9}, {NULL, 0}};

static bool read_word(const char *text, const struct word *words, int *value)
{
    for (; words->text != NULL; words++) {
        if (strcasecmp(text, words->text) == 0) {
            *value = words->value;
            return true;
        }
    }
    return false;
}

/* strtol(3) alone would take "", " 7", "+7" and "7x". */
static bool read_number(const char *text, size_t length, int lowest, int highest, int *value)
{
    int number = 0;

    if (length == 0 || length > 5 || strspn(text, "0123456789") < length)
        return false;
    for (size_t i = 0; i < length; i++)
        number = number * 10 + (text[i] - '0');
    if (number < lowest || number > highest)
        return false;
    *value = number;
    return true;
}

static bool read_action(const char *text, const struct word *words, enum action *action)
{
    int value;

    if (!read_word(text, words, &value))
        return false;
    *action = (enum action)value;
    return true;
}

static bool read_boolean(const char *text, bool *boolean)
{
    int value;

    if (!read_word(text, BOOLEANS, &value))
        return false;
    *boolean = value;
    return true;
}

static bool read_log_level(const char *text, enum log_level *level)
{
    int value;

    if (!read_word(text, LOG_LEVELS, &value)
        && !read_number(text, strlen(text), LOG_LEVEL_QUIET, LOG_LEVEL_DEBUG5, &value))
        return false;
    *level = (enum log_level)value;
    return true;
}

static bool read_text(const char *text, char *to, size_t size)
{
    size_t length = strlen(text);

    if (length == 0 || length >= size)
        return false;
    memcpy(to, text, length + 1);
    return true;
}

static bool read_ports(const char *text, struct options *options)
{
    uint16_t ports[OPTIONS_PORTS_MAX] = {0};
    size_t count = 0;

    for (;;) {
        size_t length = strcspn(text, ",");
        int port;

        if (count == OPTIONS_PORTS_MAX || !read_number(text, length, 1, UINT16_MAX, &port))
            return false;
        ports[count++] = (uint16_t)port;
        if (text[length] == '\0')
            break;
        text += length + 1;
    }
    memcpy(options->ports, ports, sizeof ports);
    options->port_count = count;
    return true;
}

static bool read_socket(const char *text, struct options *options)
{
    return text[0] == '/' && read_text(text, options->socket_path, sizeof options->socket_path);
}

enum reading { READING_OK, READING_UNKNOWN_KEY, READING_BAD_VALUE };

static enum reading read_option(struct options *options, const char *key, size_t length, const char *value)
{
#define IS(name) (length == sizeof(name) - 1 && strncasecmp(key, name, length) == 0)
    bool ok;

    if (IS("action_no_jobs"))
        ok = read_action(value, ACTIONS_NO_JOBS, &options->action_no_jobs);
    else if (IS("action_unknown"))
        ok = read_action(value, ACTIONS_UNKNOWN, &options->action_unknown);
    else if (IS("action_adopt_failure"))
        ok = read_action(value, ACTIONS_ADOPT_FAILURE, &options->action_adopt_failure);
    else if (IS("action_generic_failure"))
        ok = read_action(value, ACTIONS_GENERIC_FAILURE, &options->action_generic_failure);
    else if (IS("ignore_root"))
        ok = read_boolean(value, &options->ignore_root);
    else if (IS("single_job_skip_rpc"))
        ok = read_boolean(value, &options->single_job_skip_rpc);
    else if (IS("disable_x11"))
        ok = read_boolean(value, &options->disable_x11);
    else if (IS("join_container"))
        ok = read_boolean(value, &options->join_container);
    else if (IS("choose"))
        ok = read_boolean(value, &options->choose);
    else if (IS("log_level"))
        ok = read_log_level(value, &options->log_level);
    else if (IS("nodename"))
        ok = read_text(value, options->node_name, sizeof options->node_name);
    else if (IS("service"))
        ok = read_text(value, options->service, sizeof options->service);
    else if (IS("stale"))
        ok = read_action(value, STALE, &options->stale);
    else if (IS("timeout_ms"))
        ok = read_number(value, strlen(value), 1, TIMEOUT_MS_MAX, &options->timeout_ms);
    else if (IS("start_wait_ms"))
        ok = read_number(value, strlen(value), 0, START_WAIT_MS_MAX, &options->start_wait_ms);
    else if (IS("port"))
        ok = read_ports(value, options);
    else if (IS("socket"))
        ok = read_socket(value, options);
    else
        return READING_UNKNOWN_KEY;
    return ok ? READING_OK : READING_BAD_VALUE;
#undef IS
}

bool options_parse(struct options *options, int count, const char **words, struct problem *problem)
{
    bool good = true;

    *options = DEFAULTS;
    for (int i = 0; i < count; i++) {
        size_t length = strcspn(words[i], "=");
        enum reading reading = words[i][length] == '=' ? read_option(options, words[i], length, words[i] + length + 1)
                                                       : READING_UNKNOWN_KEY;

        if (reading == READING_OK || !good)
            continue;
        good = false;
        if (reading == READING_UNKNOWN_KEY)
            problem_set(problem, "unknown option %s", words[i]);
        else
            problem_set(problem, "unknown value in option %s", words[i]);
    }
    return good;
}
