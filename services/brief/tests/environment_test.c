/* The choice of variables. BriefContractTest of services/cli compares it with Java's. */
#include "environment.h"

#include <stdio.h>
#include <string.h>

#include "tap.h"

static struct writing allocation;

static int count(char *const *environment)
{
    struct bytes rest;
    struct field field;
    bool broken;
    int entries = 0;

    allocation = (struct writing){.length = 0};
    if (!environment_put(&allocation, environment) || allocation.overflow)
        return -1;
    rest = (struct bytes){allocation.bytes, allocation.length};
    while (protobuf_next(&rest, &field, &broken))
        entries++;
    return entries;
}

static void chooses_by_name(void)
{
    static char *const wanted[] = {"SLURM_JOB_ID=7", "SLURMD_NODENAME=n1", "HIP_VISIBLE_DEVICES=0", "TMPDIR=/t", NULL};
    static char *const others[] = {
        "PATH=/bin",  "SLURM_CONF=/x", "SLURM_SCRIPT_CONTEXT=prolog", "SLURM_=1",  "SLURM_a=1",
        "TMPDIR2=/t", "SLURM_X",       "A_B_VISIBLE_DEVICES=1",       "xSLURM_A=", "LD_PRELOAD=x",
        NULL};

    tap(count(wanted) == 4, "the batch system's variables are taken");
    tap(count(others) == 0, "all others are not");
}

static void leaves_out_values(void)
{
    static char longest[] = "SLURM_A=";
    static char line[8 + 4097 + 1];
    char *const broken[] = {"SLURM_A=a\nb", "SLURM_B=\x7f", "SLURM_C=\xc3\xb6", NULL};
    char *const one[] = {line, NULL};

    tap(count(broken) == 1, "values that no terminal should get are left out, and named");
    memset(line, 'x', sizeof line - 1);
    memcpy(line, longest, sizeof longest - 1);
    tap(count(one) == 1 && memmem(allocation.bytes, allocation.length, "ROLLCALL_LEFT_OUT", 17) != NULL,
        "a value of 4097 bytes is left out, and named");
    line[sizeof line - 2] = '\0';
    tap(count(one) == 1 && memmem(allocation.bytes, allocation.length, "ROLLCALL_LEFT_OUT", 17) == NULL,
        "one of 4096 is not");
}

static void stays_within_bounds(void)
{
    static char lines[100][600];
    char *environment[101] = {NULL};

    for (int i = 0; i < 100; i++) {
        snprintf(lines[i], sizeof lines[i], "SLURM_%02d=1", i);
        environment[i] = lines[i];
    }
    tap(count(environment) == 41, "40 variables are taken, and the names of others");
    for (int i = 0; i < 100; i++)
        snprintf(lines[i], sizeof lines[i], "SLURM_%02d=%0550d", i, 1);
    tap(count(environment) == 23, "and 12288 bytes");
}

int main(void)
{
    chooses_by_name();
    leaves_out_values();
    stays_within_bounds();
    return tap_done();
}
