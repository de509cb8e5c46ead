#include "application.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

static const char *module;
static const char *login;
char directory[] = "/tmp/rollcall-module.XXXXXX";
char login_socket_path[64];
char output[16 * 1024];

void must(int result, const char *what)
{
    if (result < 0) {
        perror(what);
        exit(1);
    }
}

/* The usual deadline is for logins, not for a machine that is busy with tests: where a check does not say its own, this
 * one holds. Nobody waits for an agent to start, unless the check is about that. */
static const char *patient(const char *options)
{
    if (strstr(options, "start_wait_ms=") != NULL)
        return "";
    return strstr(options, "timeout_ms=") == NULL ? "timeout_ms=5000 start_wait_ms=0" : "start_wait_ms=0";
}

static void write_service(const char *name, const char *options)
{
    char path[128];
    FILE *out;

    snprintf(path, sizeof path, "%s/%s", directory, name);
    out = fopen(path, "w");
    must(out == NULL ? -1 : 0, path);
    fprintf(out, "auth optional %s socket=%s %s %s\n", module, login_socket_path, patient(options), options);
    fprintf(out, "auth required pam_permit.so\n");
    fprintf(out, "account [success=done ignore=ignore default=die] %s socket=%s %s %s\n", module, login_socket_path,
            patient(options), options);
    fprintf(out, "account required pam_debug.so acct=acct_expired\n");
    fprintf(out, "session [success=done ignore=ignore default=die] %s socket=%s %s %s\n", module, login_socket_path,
            patient(options), options);
    fprintf(out, "session required pam_debug.so open_session=session_err close_session=session_err\n");
    fclose(out);
}

static const char *or_else(const char *text, const char *otherwise)
{
    return text != NULL ? text : otherwise;
}

static void read_output(int fd)
{
    size_t filled = 0;
    ssize_t length;

    while (filled < sizeof output - 1 && (length = read(fd, output + filled, sizeof output - 1 - filled)) > 0)
        filled += (size_t)length;
    output[filled] = '\0';
}

void visit(const struct visit *visit)
{
    const char *arguments[18] = {login,
                                 directory,
                                 or_else(visit->service, "sshd"),
                                 or_else(visit->user, "alice"),
                                 or_else(visit->rhost, "-"),
                                 or_else(visit->tty, "ssh"),
                                 or_else(visit->flags, "-")};
    int ends[2];
    int status;
    pid_t pid;

    write_service(or_else(visit->service, "sshd"), or_else(visit->options, ""));
    for (int i = 0; i < 8 && visit->phases[i] != NULL; i++)
        arguments[7 + i] = visit->phases[i];
    if (visit->phases[0] == NULL)
        arguments[7] = "account";
    must(pipe(ends), "pipe");
    pid = fork();
    must(pid, "fork");
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        if (visit->answers != NULL)
            setenv("ANSWERS", visit->answers, 1);
        execv(login, (char **)(void *)arguments);
        perror(login);
        _exit(3);
    }
    close(ends[1]);
    read_output(ends[0]);
    close(ends[0]);
    must(waitpid(pid, &status, 0), "waitpid");
    if (status != 0)
        tap(false, "the application ended with status %x", (unsigned)status);
}

bool said(const char *text)
{
    return strstr(output, text) != NULL;
}

void holds(bool good, const char *what)
{
    if (tap(good, "%s", what))
        return;
    for (char *line = strtok(output, "\n"); line != NULL; line = strtok(NULL, "\n"))
        tap_say("%s", line);
}

bool application_begin(int count, char **arguments)
{
    if (count != 3)
        return false;
    module = arguments[1];
    login = arguments[2];
    must(mkdtemp(directory) == NULL ? -1 : 0, directory);
    snprintf(login_socket_path, sizeof login_socket_path, "%s/login.sock", directory);
    write_service("other", ""); /* libpam logs it if there is none */
    return true;
}

void application_end(void)
{
    for (size_t i = 0; i < 4; i++) {
        char path[128];

        snprintf(path, sizeof path, "%s/%s", directory, (const char *[]){"sshd", "su", "crond", "other"}[i]);
        unlink(path);
    }
    rmdir(directory);
}
