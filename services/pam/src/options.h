/* The words after pam_rollcall.so in the PAM line: pam_slurm_adopt's own, and six of ours (choose, stale, timeout_ms,
 * start_wait_ms, port, socket). */
#ifndef ROLLCALL_OPTIONS_H
#define ROLLCALL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "problem.h"

#define OPTIONS_PORTS_MAX 4

enum action {
    ACTION_DENY,
    ACTION_ALLOW,
    ACTION_IGNORE,
    ACTION_NEWEST,
};

/* Slurm's levels by Slurm's numbers. */
enum log_level {
    LOG_LEVEL_QUIET = 0,
    LOG_LEVEL_FATAL = 1,
    LOG_LEVEL_ERROR = 2,
    LOG_LEVEL_INFO = 3,
    LOG_LEVEL_VERBOSE = 4,
    LOG_LEVEL_DEBUG = 5,
    LOG_LEVEL_DEBUG5 = 9,
};

struct options {
    enum action action_no_jobs;
    enum action action_unknown;
    enum action action_adopt_failure;
    enum action action_generic_failure;
    bool ignore_root;
    bool single_job_skip_rpc;
    bool disable_x11;
    bool join_container;
    bool choose;
    enum log_level log_level;
    char node_name[128];
    char service[64];  /* "*": any */
    enum action stale; /* ACTION_ALLOW or ACTION_DENY */
    int timeout_ms;
    int start_wait_ms;
    uint16_t ports[OPTIONS_PORTS_MAX];
    size_t port_count;
    char socket_path[108];
};

/* Reads all words, also after a bad one, so that the exemptions (service, ignore_root) are known in any case.
 * False: a word is unknown or its value is; the first such word is named in problem, and what it would have set keeps
 * its default. */
bool options_parse(struct options *options, int count, const char **words, struct problem *problem);

#endif
