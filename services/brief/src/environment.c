#include "environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 40
#define MOST_BYTES 12288
#define LONGEST_VALUE 4096
#define MOST_LEFT_OUT 1024
#define LONGEST_PART 100
#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

/* Whether this begins the name and 1 to 100 capitals, digits and underscores follow to its end. */
static bool begins(const char *name, size_t length, const char *beginning)
{
    size_t own = strlen(beginning);

    return length > own && length - own <= LONGEST_PART && strncmp(name, beginning, own) == 0
           && strspn(name + own, CAPITALS "_") == length - own;
}

/* Whether this ends the name and only 1 to 100 capitals and digits are before it. */
static bool ends(const char *name, size_t length, const char *end)
{
    size_t own = strlen(end);

    return length > own && length - own <= LONGEST_PART && strncmp(name + length - own, end, own) == 0
           && strspn(name, CAPITALS) == length - own;
}

static bool is(const char *name, size_t length, const char *other)
{
    return strlen(other) == length && strncmp(name, other, length) == 0;
}

static bool wanted(const char *name, size_t length)
{
    /* Of Grid Engine from JOB_ID on. */
    static const char *const names[] = {"GPU_DEVICE_ORDINAL",
                                        "ZE_AFFINITY_MASK",
                                        "TMPDIR",
                                        "ROLLCALL_BATCH_ID",
                                        "JOB_ID",
                                        "NSLOTS",
                                        "NHOSTS",
                                        "QUEUE",
                                        "PE",
                                        "PE_HOSTFILE",
                                        "SGE_TASK_ID"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (is(name, length, names[i]))
            return true;
    }
    /* These describe the prolog, or slurmd, and no job. */
    if (is(name, length, "SLURM_CONF") || is(name, length, "SLURM_SCRIPT_CONTEXT"))
        return false;
    return begins(name, length, "SLURM_") || begins(name, length, "SLURMD_") || ends(name, length, "_VISIBLE_DEVICES");
}

static bool printable(const char *value)
{
    size_t length = 0;

    while (value[length] >= ' ' && value[length] <= '~' && length <= LONGEST_VALUE)
        length++;
    return value[length] == '\0' && length <= LONGEST_VALUE;
}

static bool of_job(const char *variable)
{
    size_t name = strcspn(variable, "=");

    return variable[name] == '=' && wanted(variable, name);
}

/* By name: '=' would be after digits. */
static int by_name(const void *one, const void *other)
{
    const char *a = *(char *const *)one;
    const char *b = *(char *const *)other;
    size_t a_name = strcspn(a, "=");
    size_t b_name = strcspn(b, "=");
    int differ = strncmp(a, b, a_name < b_name ? a_name : b_name);

    return differ != 0 ? differ : (a_name > b_name) - (a_name < b_name);
}

/* Adds the variable's name to those of others, with a blank between. */
static void leave_out(char left_out[MOST_LEFT_OUT], const char *variable)
{
    size_t before = strlen(left_out);
    size_t name = strcspn(variable, "=");

    if (before + name < MOST_LEFT_OUT - 1)
        snprintf(left_out + before, MOST_LEFT_OUT - before, "%s%.*s", before > 0 ? " " : "", (int)name, variable);
}

static void put(struct writing *allocation, const char *variable)
{
    static struct writing entry;
    size_t name = strcspn(variable, "=");

    entry = (struct writing){.length = 0};
    protobuf_put_bytes(&entry, 1, variable, name);
    protobuf_put_bytes(&entry, 2, variable + name + 1, strlen(variable + name + 1));
    protobuf_put_message(allocation, 3, &entry);
}

bool environment_put(struct writing *allocation, char *const *environment)
{
    size_t count = 0;
    size_t found = 0;
    size_t bytes = 0;
    int taken = 0;
    static const char LEFT_OUT[] = "ROLLCALL_LEFT_OUT="; /* EnvironmentAllowList */
    char named[sizeof LEFT_OUT + MOST_LEFT_OUT];
    char left_out[MOST_LEFT_OUT] = "";
    const char **variables;

    while (environment[count] != NULL)
        count++;
    variables = calloc(count + 1, sizeof *variables);
    if (variables == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (of_job(environment[i]))
            variables[found++] = environment[i];
    }
    qsort(variables, found, sizeof *variables, by_name);
    for (size_t i = 0; i < found; i++) {
        size_t length = strlen(variables[i]) - 1;

        if (taken == MOST || bytes + length > MOST_BYTES || !printable(strchr(variables[i], '=') + 1)) {
            leave_out(left_out, variables[i]);
            continue;
        }
        put(allocation, variables[i]);
        bytes += length;
        taken++;
    }
    snprintf(named, sizeof named, "%s%s", LEFT_OUT, left_out);
    if (left_out[0] != '\0')
        put(allocation, named);
    free(variables);
    return true;
}
