#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "membership.h"
#include "tap.h"

static char file[] = "/tmp/rollcall-membership.XXXXXX";
static struct problem problem;

static void file_holds(const char *text)
{
    FILE *out = fopen(file, "w");

    if (out == NULL || fputs(text, out) < 0 || fclose(out) != 0) {
        perror(file);
        exit(1);
    }
}

static void shows(const char *hierarchy, const char *path, const char *what)
{
    problem.text[0] = '\0';
    if (!tap(membership_shown(file, hierarchy, path, &problem), "%s", what))
        tap_say("%s", problem.text);
}

static void shows_not(const char *hierarchy, const char *path, const char *what)
{
    problem.text[0] = '\0';
    tap(!membership_shown(file, hierarchy, path, &problem) && problem.text[0] != '\0', "%s, with a reason", what);
}

static void version_two(void)
{
    file_holds("0::/rollcall.scope/job_42/step_extern/user/session_1\n");
    shows("", "/rollcall.scope/job_42/step_extern/user/session_1", "v2: the exact path is it");
    shows_not("", "/rollcall.scope/job_42/step_extern/user", "v2: a parent is not it");
    shows_not("", "/rollcall.scope/job_42/step_extern/user/session_11", "v2: a longer name is not it");
    shows_not("", "/rollcall.scope/job_42/step_extern/user/session_1/", "v2: a slash more is not it");
    shows_not("", "", "v2: an empty path is never it");
    shows_not("", "rollcall.scope/job_42/step_extern/user/session_1", "v2: a relative path is never it");
    shows_not("freezer", "/rollcall.scope/job_42/step_extern/user/session_1", "v2: no v1 controller is shown");
    file_holds("0::/rollcall.scope/job_42/step_extern/user/session_1 (deleted)\n");
    shows_not("", "/rollcall.scope/job_42/step_extern/user/session_1", "v2: a removed cgroup is not it");
    file_holds("0::/a:b/job_42\n");
    shows("", "/a:b/job_42", "v2: a path with colons is it");
    file_holds("0::/\n");
    shows("", "/", "v2: the root is a path, too");
    file_holds("0::/job_42");
    shows("", "/job_42", "v2: a last line without its end is read");
}

static void hybrid(void)
{
    file_holds("12:name=systemd:/user.slice\n11:cpu,cpuacct:/job_1\n10:memory:/job_2\n9:freezer:/rollcall/job_42\n"
               "1:misc:/job_42\n0::/user.slice/session-1.scope\n");
    shows("freezer", "/rollcall/job_42", "v1: the controller's line is looked at");
    shows("cpu", "/job_1", "v1: a controller that shares its hierarchy is found, first");
    shows("cpuacct", "/job_1", "v1: a controller that shares its hierarchy is found, second");
    shows_not("cpu,cpuacct", "/job_1", "v1: a list of controllers is no controller");
    shows("name=systemd", "/user.slice", "v1: a named hierarchy is found");
    shows("", "/user.slice/session-1.scope", "hybrid: v2's line is found beside v1's");
    shows_not("cpua", "/job_1", "v1: part of a controller's name is not its name");
    shows_not("memory", "/job_1", "v1: another controller's path is not it");
    shows_not("", "/rollcall/job_42", "hybrid: v1's path does not count for v2");
    shows_not("pids", "/rollcall/job_42", "v1: a controller that is not there is not it");
    file_holds("10::/job_42\n");
    shows_not("", "/job_42", "a line without controllers that is not number 0 is not v2's");
    file_holds("0:name=x:/other\n0::/job_42\n");
    shows("", "/job_42", "v2's line is the one without controllers");
}

static void odd_files(void)
{
    static char large[20 * 1024];

    file_holds("");
    shows_not("", "/job_42", "an empty file shows nothing");
    file_holds("\n\n:\n::\n0:\n0\n/job_42\n");
    shows_not("", "/job_42", "malformed lines show nothing");
    memset(large, 'x', sizeof large - 1);
    memcpy(large, "0::/job_42\n", 11);
    file_holds(large);
    shows_not("", "/job_42", "a file longer than any real one is not believed");
    unlink(file);
    shows_not("", "/job_42", "a missing file shows nothing");
    tap(strstr(problem.text, file) != NULL && strstr(problem.text, "No such file") != NULL,
        "the reason names the file: %s", problem.text);
    tap(membership_shown(MEMBERSHIP_SELF, "no such controller", "/", &problem) == false, "the real file can be read");
}

int main(void)
{
    int fd = mkstemp(file);

    if (fd < 0) {
        perror(file);
        return 1;
    }
    close(fd);
    version_two();
    hybrid();
    odd_files();
    return tap_done();
}
