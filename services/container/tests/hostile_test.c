/* rollcall-namespaces in mounts that somebody arranged to be loaded from: it opens nothing of them. That the trap is
 * one is shown with a program that is linked dynamically. */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "play.h"
#include "scene.h"
#include "tap.h"

#define TRAP "/run/trap"

static const char *program;
static const char *library;
static char outside[64]; /* the directory that is TRAP inside */
static char libc[256];   /* where the C library is */
static int watch;

/* Where this test's own is. */
static void find_libc(void)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512];

    must(maps == NULL ? -1 : 0, "/proc/self/maps");
    while (libc[0] == '\0' && fgets(line, sizeof line, maps) != NULL) {
        if (strstr(line, "/libc.so.6") != NULL || strstr(line, "/libc-2.") != NULL)
            snprintf(libc, sizeof libc, "%.*s", (int)strcspn(strchr(line, '/'), "\n"), strchr(line, '/'));
    }
    fclose(maps);
}

static void put(const char *name, const char *text)
{
    char path[128];
    int fd;

    snprintf(path, sizeof path, "%s/%s", outside, name);
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    must(fd, path);
    must(write(fd, text, strlen(text)) == (ssize_t)strlen(text) ? 0 : -1, path);
    close(fd);
}

static void plant(void)
{
    char path[128];
    char bytes[65536];
    int from = open(library, O_RDONLY | O_CLOEXEC);
    int to;
    ssize_t got;

    must(from, library);
    snprintf(outside, sizeof outside, "/tmp/rollcall-hostile-XXXXXX");
    must(mkdtemp(outside) == NULL ? -1 : 0, outside);
    snprintf(path, sizeof path, "%s/etc", outside);
    must(mkdir(path, 0755), path);
    snprintf(path, sizeof path, "%s/planted.so", outside);
    to = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
    must(to, path);
    got = read(from, bytes, sizeof bytes);
    must(got > 0 && got < (ssize_t)sizeof bytes && write(to, bytes, (size_t)got) == got ? 0 : -1, path);
    close(from);
    close(to);
    put("etc/ld.so.preload", TRAP "/planted.so\n");
    put("etc/nsswitch.conf", "passwd: planted\ngroup: planted\nhosts: planted\n");
    put("etc/localtime", "");
    put("etc/locale.alias", "");
    watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    must(watch, "inotify");
    must(inotify_add_watch(watch, outside, IN_OPEN | IN_ACCESS), "watch");
    snprintf(path, sizeof path, "%s/etc", outside);
    must(inotify_add_watch(watch, path, IN_OPEN | IN_ACCESS), "watch");
}

static void arrange_preload(void)
{
    char path[128];

    must(mount("tmpfs", "/run", "tmpfs", 0, NULL), "mount /run");
    must(mkdir(TRAP, 0755), TRAP);
    must(mount(outside, TRAP, NULL, MS_BIND, NULL), "bind the trap");
    snprintf(path, sizeof path, "%s/etc", outside);
    must(mount(path, "/etc", NULL, MS_BIND, NULL), "bind /etc");
}

static void arrange_all(void)
{
    arrange_preload();
    must(mount(TRAP "/planted.so", libc, NULL, MS_BIND, NULL), libc);
}

/* Since it was asked last. */
static int openings(void)
{
    char events[16384];
    int count = 0;
    ssize_t got;

    while ((got = read(watch, events, sizeof events)) > 0) {
        for (char *at = events; at < events + got;
             at += sizeof(struct inotify_event) + ((struct inotify_event *)at)->len)
            count += (((struct inotify_event *)at)->mask & IN_ISDIR) == 0;
    }
    return count;
}

static bool is_sprung(void)
{
    char path[128];

    snprintf(path, sizeof path, "%s/sprung", outside);
    return unlink(path) == 0;
}

static void somebody_loads(const char *mounts)
{
    int status;
    pid_t pid = fork();

    must(pid, "fork");
    if (pid == 0) {
        int null = open("/dev/null", O_RDWR);

        must(setns(open(mounts, O_RDONLY), CLONE_NEWNS), "setns");
        dup2(null, STDERR_FILENO);
        execl("/bin/true", "true", NULL);
        _exit(127);
    }
    status = await_end(pid, 5000);
    (void)status;
}

static void map(int pid, const char *name)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    must(scene_write(path, "0 0 4294967295") ? 0 : -1, path);
}

static void we_do_not(const char *mounts, const char *kind)
{
    const char *const words[] = {program, "create", "--mount", mounts,        "--pid",
                                 "--net", kind,     "--name",  "rollcall:42", NULL};
    struct play play;
    int pid = 0;

    openings();
    play_begin(&play, 0, words);
    tap(sscanf(play_hear(&play), "made %d", &pid) == 1, "with %s made is said", kind);
    if (strcmp(kind, "--user") == 0) {
        map(pid, "uid_map");
        map(pid, "gid_map");
    }
    play_say(&play, "go\n");
    tap(strcmp(play_hear(&play), "ready") == 0, "ready is said");
    play_end(&play);
    tap(!is_sprung() && openings() == 0, "nothing that was planted is opened, nor run");
    play_begin(&play, 0, words);
    play_hear(&play);
    play_end(&play);
    tap(WEXITSTATUS(play.status) == 1 && strstr(play.complaint, "stdin ended before go") != NULL && !is_sprung()
            && openings() == 0,
        "nor for the words of a failure");
    kill(pid, 9);
    tap(await_gone(pid), "the resident process ends");
}

/* A locale and an alternative path for its words, as a caller may have them. */
static void beside_environment(void)
{
    setenv("LANG", "de_DE.UTF-8", 1);
    setenv("LC_ALL", "de_DE.UTF-8", 1);
    setenv("LANGUAGE", "de", 1);
    setenv("LOCPATH", TRAP, 1);
    setenv("GCONV_PATH", TRAP, 1);
    setenv("TZ", ":" TRAP "/etc/localtime", 1);
}

static void clean(void)
{
    static const char *const NAMES[] = {"etc/ld.so.preload", "etc/nsswitch.conf", "etc/localtime",
                                        "etc/locale.alias",  "planted.so",        "sprung"};
    char path[128];

    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", outside, NAMES[i]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/etc", outside);
    rmdir(path);
    rmdir(outside);
}

static int test(void)
{
    char preloaded[64];
    char all[64];

    program = scene_program(program);
    find_libc();
    plant();
    snprintf(preloaded, sizeof preloaded, "%s", scene_mounts(arrange_preload));
    snprintf(all, sizeof all, "%s", scene_mounts(arrange_all));
    openings();
    somebody_loads(preloaded);
    tap(is_sprung() && openings() > 0, "a program that is linked dynamically runs what was planted");
    somebody_loads(all);
    tap(openings() > 0, "and opens what lies in the place of the C library, %s", libc);
    is_sprung();
    beside_environment();
    we_do_not(preloaded, "--ipc");
    we_do_not(all, "--ipc");
    we_do_not(all, "--user");
    tap(scene_others() == 0, "no process stays");
    clean();
    return tap_done();
}

int main(int count, char **words)
{
    program = count > 1 ? words[1] : "target/rollcall-namespaces";
    library = count > 2 ? words[2] : "target/planted.so";
    return scene_run(test);
}
