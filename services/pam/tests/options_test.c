#include <string.h>

#include "options.h"
#include "tap.h"

static struct options options;
static struct problem problem;

static bool parse(const char *word)
{
    problem.text[0] = '\0';
    return options_parse(&options, 1, &word, &problem);
}

static void takes_action(const char *word, const enum action *place, enum action wanted)
{
    tap(parse(word) && *place == wanted, "%s is taken", word);
}

static void takes_boolean(const char *word, const bool *place, bool wanted)
{
    tap(parse(word) && *place == wanted, "%s is taken", word);
}

static void refuses(const char *word)
{
    bool refused = !parse(word);

    tap(refused && strstr(problem.text, word) != NULL, "\"%s\" is refused by name", word);
}

static void defaults_hold(void)
{
    tap(options_parse(&options, 0, NULL, &problem), "no word at all is sound");
    tap(options.action_no_jobs == ACTION_DENY, "action_no_jobs is deny by default");
    tap(options.action_unknown == ACTION_NEWEST, "action_unknown is newest by default");
    tap(options.action_adopt_failure == ACTION_DENY, "action_adopt_failure is deny by default");
    tap(options.action_generic_failure == ACTION_DENY, "action_generic_failure is deny by default");
    tap(options.ignore_root && options.single_job_skip_rpc, "ignore_root and single_job_skip_rpc are on by default");
    tap(options.disable_x11 && options.join_container, "X11 is sshd's and the container is the job's by default");
    tap(!options.choose, "nobody is asked by default");
    tap(options.log_level == LOG_LEVEL_INFO, "log_level is info by default");
    tap(options.node_name[0] == '\0', "nodename is empty by default");
    tap(strcmp(options.service, "sshd") == 0, "service is sshd by default");
    tap(options.timeout_ms == 1250, "timeout_ms is 1250 by default");
    tap(options.port_count == 1 && options.ports[0] == 22, "port is 22 by default");
    tap(strcmp(options.socket_path, "/run/rollcall/login.sock") == 0, "socket is /run/rollcall/login.sock by default");
}

static void actions_are_read(void)
{
    takes_action("action_no_jobs=deny", &options.action_no_jobs, ACTION_DENY);
    takes_action("action_no_jobs=ignore", &options.action_no_jobs, ACTION_IGNORE);
    takes_action("action_unknown=newest", &options.action_unknown, ACTION_NEWEST);
    takes_action("action_unknown=allow", &options.action_unknown, ACTION_ALLOW);
    takes_action("action_unknown=deny", &options.action_unknown, ACTION_DENY);
    takes_action("action_adopt_failure=deny", &options.action_adopt_failure, ACTION_DENY);
    takes_action("action_adopt_failure=allow", &options.action_adopt_failure, ACTION_ALLOW);
    takes_action("action_generic_failure=deny", &options.action_generic_failure, ACTION_DENY);
    takes_action("action_generic_failure=ignore", &options.action_generic_failure, ACTION_IGNORE);
    takes_action("action_generic_failure=allow", &options.action_generic_failure, ACTION_ALLOW);
    takes_action("Action_No_Jobs=IGNORE", &options.action_no_jobs, ACTION_IGNORE);
    refuses("action_no_jobs=allow");
    refuses("action_no_jobs=newest");
    refuses("action_unknown=ignore");
    refuses("action_unknown=newestt");
    refuses("action_adopt_failure=ignore");
    refuses("action_adopt_failure=newest");
    refuses("action_generic_failure=newest");
    refuses("action_generic_failure=");
    refuses("action_no_jobs");
}

static void booleans_are_read(void)
{
    static const struct {
        const char *key;
        const bool *place;
    } KEYS[] = {{"ignore_root", &options.ignore_root},
                {"single_job_skip_rpc", &options.single_job_skip_rpc},
                {"disable_x11", &options.disable_x11},
                {"join_container", &options.join_container},
                {"choose", &options.choose}};
    static const struct {
        const char *text;
        bool value;
    } VALUES[] = {{"1", true}, {"0", false}, {"true", true}, {"false", false}, {"TRUE", true}, {"False", false}};
    static const char *const BAD[] = {"", "2", "yes", "no", "on", "tru", "truee", "-1", " 1", "01"};

    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
        char word[64];

        for (size_t j = 0; j < sizeof VALUES / sizeof *VALUES; j++) {
            strcat(strcat(strcpy(word, KEYS[i].key), "="), VALUES[j].text);
            takes_boolean(word, KEYS[i].place, VALUES[j].value);
        }
        for (size_t j = 0; j < sizeof BAD / sizeof *BAD; j++) {
            strcat(strcat(strcpy(word, KEYS[i].key), "="), BAD[j]);
            refuses(word);
        }
    }
}

static void log_levels_are_read(void)
{
    static const char *const NAMES[] = {"quiet", "fatal",  "error",  "info",   "verbose",
                                        "debug", "debug2", "debug3", "debug4", "debug5"};

    for (int level = 0; level < 10; level++) {
        char word[32] = "log_level=";
        char number[] = {'l', 'o', 'g', '_', 'l', 'e', 'v', 'e', 'l', '=', (char)('0' + level), '\0'};

        strcat(word, NAMES[level]);
        tap(parse(word) && (int)options.log_level == level, "%s is taken", word);
        tap(parse(number) && (int)options.log_level == level, "%s is taken", number);
    }
    refuses("log_level=10");
    refuses("log_level=loud");
    refuses("log_level=debug1");
    refuses("log_level=");
    refuses("log_level=-1");
}

static void texts_are_read(void)
{
    char long_service[80] = "service=";
    char long_node[160] = "nodename=";
    char long_socket[160] = "socket=/";

    tap(parse("service=*") && strcmp(options.service, "*") == 0, "service=* is taken");
    tap(parse("service=sshd") && strcmp(options.service, "sshd") == 0, "service=sshd, the default, is taken");
    tap(parse("service=login") && strcmp(options.service, "login") == 0, "service=login is taken");
    tap(parse("nodename=n01-ib") && strcmp(options.node_name, "n01-ib") == 0, "nodename=n01-ib is taken");
    tap(parse("socket=/tmp/door=1.sock") && strcmp(options.socket_path, "/tmp/door=1.sock") == 0,
        "a socket path may hold '='");
    refuses("service=");
    refuses("nodename=");
    refuses("socket=login.sock");
    refuses("socket=");
    memset(long_service + 8, 's', 64);
    memset(long_node + 9, 'n', 128);
    memset(long_socket + 8, 'd', 107);
    tap(!parse(long_service) && strcmp(options.service, "sshd") == 0, "a service of 64 characters is refused");
    tap(!parse(long_node) && options.node_name[0] == '\0', "a node name of 128 characters is refused");
    tap(!parse(long_socket), "a socket path of 108 characters is refused");
    long_service[8 + 63] = long_node[9 + 127] = long_socket[8 + 106] = '\0';
    tap(parse(long_service) && strlen(options.service) == 63, "a service of 63 characters is taken");
    tap(parse(long_node) && strlen(options.node_name) == 127, "a node name of 127 characters is taken");
    tap(parse(long_socket) && strlen(options.socket_path) == 107, "a socket path of 107 characters is taken");
}

static void numbers_are_read(void)
{
    tap(parse("timeout_ms=1") && options.timeout_ms == 1, "timeout_ms=1 is taken");
    tap(parse("timeout_ms=1250") && options.timeout_ms == 1250, "timeout_ms=1250, the default, is taken");
    tap(parse("timeout_ms=5000") && options.timeout_ms == 5000, "timeout_ms=5000 is taken");
    refuses("timeout_ms=0");
    refuses("timeout_ms=5001");
    refuses("timeout_ms=-1");
    refuses("timeout_ms=+5");
    refuses("timeout_ms=1s");
    refuses("timeout_ms=99999999999999999999");
    refuses("timeout_ms=");
    tap(parse("port=2222") && options.port_count == 1 && options.ports[0] == 2222, "port=2222 is taken");
    tap(parse("port=22,2222,65535,1") && options.port_count == 4 && options.ports[0] == 22 && options.ports[1] == 2222
            && options.ports[2] == 65535 && options.ports[3] == 1,
        "four ports are taken");
    refuses("port=0");
    refuses("port=65536");
    refuses("port=22,");
    refuses("port=,22");
    refuses("port=22,,23");
    refuses("port=22;23");
    refuses("port=ssh");
    refuses("port=1,2,3,4,5");
    refuses("port=");
    tap(!parse("port=22,bad") && options.port_count == 1 && options.ports[0] == 22, "a bad list leaves the default");
}

static void words_together(void)
{
    const char *mistaken[] = {"servce=su", "ignore_root=maybe", "service=su"};
    const char *twice[] = {"timeout_ms=100", "timeout_ms=200"};

    refuses("debug");
    refuses("");
    refuses("=");
    refuses("=deny");
    refuses("action_no_jobsx=deny");
    refuses("action_no_job=deny");
    tap(!options_parse(&options, 3, mistaken, &problem) && strcmp(problem.text, "unknown option servce=su") == 0,
        "the first of several mistakes is named");
    tap(strcmp(options.service, "su") == 0, "a word after a mistake still counts");
    tap(options.ignore_root, "a mistaken value leaves the default");
    tap(options_parse(&options, 2, twice, &problem) && options.timeout_ms == 200, "the last of two equal words counts");
}

int main(void)
{
    defaults_hold();
    actions_are_read();
    booleans_are_read();
    log_levels_are_read();
    texts_are_read();
    numbers_are_read();
    words_together();
    return tap_done();
}
