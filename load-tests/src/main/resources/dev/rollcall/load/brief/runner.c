/* Runs a command again and again, and prints a line for each: nanoseconds of the clock and of CPU, KiB of memory at the
 * most, exit status. The CPU and the memory are those of all that it started and waited for, wait4(2). A word "{}"
 * becomes the number of the run.
 *   runner row TIMES FIRST COMMAND...    one after the other
 *   runner burst TIMES FIRST COMMAND...  all at once; a line "all" with the nanoseconds until the last has ended
 *   runner serve ADDRESS PORT            takes connections and closes them */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORDS_MAX 32
#define RUNS_MAX 4096
#define NUMBER_MAX 16

static long long now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void become(char **command, long number)
{
    char *words[WORDS_MAX + 1] = {NULL};
    char texts[WORDS_MAX][NUMBER_MAX + 64];
    int nothing = open("/dev/null", O_RDWR);

    for (int i = 0; command[i] != NULL && i < WORDS_MAX; i++) {
        const char *place = strstr(command[i], "{}");

        words[i] = command[i];
        if (place != NULL) {
            snprintf(texts[i], sizeof texts[i], "%.*s%ld%.32s", (int)(place - command[i]), command[i], number,
                     place + 2);
            words[i] = texts[i];
        }
    }
    if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 || dup2(nothing, 2) < 0)
        _exit(126);
    close(nothing);
    execvp(words[0], words);
    _exit(127);
}

static void ended(pid_t child, long long began)
{
    struct rusage used;
    long long cpu;
    int status;

    if (wait4(child, &status, 0, &used) < 0)
        fail("wait4");
    cpu = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000LL
          + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000LL;
    printf("%lld %lld %ld %d\n", now() - began, cpu, used.ru_maxrss, WIFEXITED(status) ? WEXITSTATUS(status) : 128);
}

static void row(long times, long first, char **command)
{
    for (long i = 0; i < times; i++) {
        long long began = now();
        pid_t child = fork();

        if (child < 0)
            fail("fork");
        if (child == 0)
            become(command, first + i);
        ended(child, began);
    }
}

static void burst(long times, long first, char **command)
{
    static pid_t children[RUNS_MAX];
    long long began;
    int gate[2];
    char nothing;

    if (times > RUNS_MAX || pipe2(gate, O_CLOEXEC) < 0)
        fail("burst");
    for (long i = 0; i < times; i++) {
        children[i] = fork();
        if (children[i] < 0)
            fail("fork");
        if (children[i] == 0) {
            close(gate[1]);
            if (read(gate[0], &nothing, 1) != 0)
                _exit(126);
            become(command, first + i);
        }
    }
    began = now();
    close(gate[1]);
    for (long i = 0; i < times; i++)
        ended(children[i], began);
    printf("all %lld\n", now() - began);
}

static void serve(const char *address, const char *port)
{
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    int listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int on = 1;

    if (inet_pton(AF_INET, address, &here.sin_addr) != 1 || listening < 0
        || setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0
        || bind(listening, (struct sockaddr *)&here, sizeof here) < 0 || listen(listening, 128) < 0)
        fail("listen");
    puts("listening");
    fflush(stdout);
    for (;;) {
        int connection = accept4(listening, NULL, NULL, SOCK_CLOEXEC);

        if (connection < 0)
            fail("accept");
        close(connection);
    }
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "serve") == 0)
        serve(argv[2], argv[3]);
    else if (argc > 4 && strcmp(argv[1], "row") == 0)
        row(atol(argv[2]), atol(argv[3]), argv + 4);
    else if (argc > 4 && strcmp(argv[1], "burst") == 0)
        burst(atol(argv[2]), atol(argv[3]), argv + 4);
    else
        return 2;
    return 0;
}
