#include "environment.h"

#include <stdlib.h>
#include <string.h>

#define MOST 40
#define MOST_BYTES 6144
#define LONGEST_VALUE 1024
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
    /* These describe the prolog, or slurmd, and no job. */
    if (is(name, length, "SLURM_CONF") || is(name, length, "SLURM_SCRIPT_CONTEXT"))
        return false;
    return begins(name, length, "SLURM_") || begins(name, length, "SLURMD_") || ends(name, length, "_VISIBLE_DEVICES")
           || is(name, length, "TMPDIR") || is(name, length, "ROLLCALL_BATCH_ID");
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

    return variable[name] == '=' && wanted(variable, name) && printable(variable + name + 1);
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
    for (size_t i = 0; i < found && taken < MOST; i++) {
        size_t length = strlen(variables[i]) - 1;

        if (bytes + length > MOST_BYTES)
            continue;
        put(allocation, variables[i]);
        bytes += length;
        taken++;
    }
    free(variables);
    return true;
}
