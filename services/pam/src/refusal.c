#include "refusal.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/utsname.h>

#include "login_files.h"
#include "tell.h"

/* The host's name to its first dot, as the agent's default. */
static void name_host(char *name, size_t size)
{
    struct utsname host;

    name[0] = '\0';
    if (uname(&host) == 0)
        snprintf(name, size, "%.*s", (int)strcspn(host.nodename, "."), host.nodename);
}

/* False: there is no file, or it is another node's. Its help text is not shown then. */
static bool read_own_node(const struct visit *visit, rollcall_login_v1_Node *node)
{
    char directory[LOGIN_DIRECTORY_MAX];
    struct login_files files;
    struct problem problem = {""};
    const char *name = visit->options.node_name;
    bool read;

    visit_name_directory(visit, directory, sizeof directory);
    if (login_open(&files, directory, &problem) != LOGIN_READ)
        return false;
    read = login_read_node(&files, node, &problem) == LOGIN_READ;
    login_close(&files);
    return read && node->node[0] != '\0' && (name[0] == '\0' || strcasecmp(name, node->node) == 0);
}

void refusal_show(const struct visit *visit, const char *reason)
{
    rollcall_login_v1_Node node;
    char host[sizeof visit->options.node_name];
    const char *help = "";
    const char *name = host;

    if (read_own_node(visit, &node)) {
        name = node.node;
        help = node.denied_help;
    } else if (visit->options.node_name[0] != '\0') {
        name = visit->options.node_name;
    } else {
        name_host(host, sizeof host);
    }
    tell_refusal(&visit->teller, "Access denied by pam_rollcall%s%s: %s%s%s", name[0] != '\0' ? " on " : "", name,
                 reason[0] != '\0' ? reason : "no reason is given", help[0] != '\0' ? ". Help: " : "", help);
}
