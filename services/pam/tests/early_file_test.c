/* Real files and a real tmpfs, which is mounted over their directory between the two calls, as a job's /tmp is. Each
 * case has a child with mounts of its own. */
#include <fcntl.h>
#include <sched.h>
#include <security/pam_appl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "early_file.h"
#include "tap.h"

#define USER 2001

struct early {
    const char *kind; /* the value: before the directory's path, and behind it */
    const char *path;
    bool is_temporary;    /* of TMPDIR */
    void (*make)(void);   /* as root, in the directory */
    void (*inside)(void); /* the same in the job's */
    bool is_shared;       /* the job has no directory of its own */
    bool is_read_only;
    const char *problem; /* "": it is moved */
    const char *there;   /* what sh(1) finds in the job's directory */
    const char *left;    /* and outside */
};

static char directory[] = "/tmp/rollcall-early-XXXXXX";

static void must(int result, const char *what)
{
    if (result < 0) {
        perror(what);
        _exit(2);
    }
}

/* What it writes goes to a descriptor. */
static void sh(const char *script, int output)
{
    int status;
    pid_t pid = fork();

    must(pid, "fork");
    if (pid == 0) {
        must(dup2(output, STDOUT_FILENO), "dup2");
        execl("/bin/sh", "sh", "-c", script, NULL);
        _exit(127);
    }
    must(waitpid(pid, &status, 0), "waitpid");
    must(status == 0 ? 0 : -1, script);
}

static void makes(const char *script)
{
    sh(script, STDERR_FILENO);
}

static void ticket(void)
{
    makes("umask 077; echo word >krb5cc_1; chown 2001:2001 krb5cc_1");
}

static void old_ticket(void)
{
    ticket();
    makes("touch -d '1 hour ago' krb5cc_1");
}

static void link_to_own(void)
{
    makes("echo word >own; chown 2001 own; ln -s own krb5cc_1");
}

static void fifo(void)
{
    makes("mkfifo krb5cc_1; chown 2001 krb5cc_1");
}

static void of_another(void)
{
    makes("echo word >krb5cc_1");
}

static void secret(void)
{
    makes("umask 077; echo word >krb5cc_1");
}

static void two_names(void)
{
    ticket();
    makes("ln krb5cc_1 own");
}

static void too_large(void)
{
    makes("truncate -s 1048577 krb5cc_1; chown 2001 krb5cc_1");
}

static void nothing(void)
{
}

static void cache(void)
{
    makes("mkdir -m 700 -p a/d; echo tkt1 >a/d/primary; echo word >a/d/tkt1; echo other >a/d/own; ln -s /etc/passwd "
          "a/d/tkt2; chown -hR 2001:2001 a");
}

static void whole_cache(void)
{
    makes("mkdir -m 700 -p d; echo tkt1 >d/primary; echo word >d/tkt1; chown -R 2001:2001 d");
}

static void temporary(void)
{
    makes("mkdir -p user/1; chmod 711 user; echo other >user/1/own; chown -R 2001:2001 user/1");
}

static void link_of_its_name(void)
{
    makes("echo root >target; chmod 666 target; ln -s target krb5cc_1; chown -h 2001 krb5cc_1");
}

static void directory_of_its_name(void)
{
    makes("mkdir krb5cc_1");
}

/* What a shell says of the files; from a descriptor, since the path may lead elsewhere. */
static bool finds(int fd, const char *expected)
{
    char text[512];
    ssize_t length;
    int found[2];

    must(fchdir(fd), "fchdir");
    must(pipe(found), "pipe");
    sh("(find . -mindepth 1 -printf '%P:%y:%U:%m\\n'; find . -type f -size -2 -exec cat {} +) | LC_ALL=C sort -u | "
       "xargs",
       found[1]);
    length = read(found[0], text, sizeof text - 1);
    must((int)length, "read");
    close(found[0]);
    close(found[1]);
    text[length] = '\0';
    if (strcmp(text, expected) == 0)
        return true;
    printf("# found:  %s# wanted: %s", text, expected);
    return false;
}

static bool is_played(const struct early *early)
{
    struct pam_conv conversation = {NULL, NULL};
    struct early_file file = {.uid = USER, .gid = USER};
    struct problem problem = {""};
    char value[256];
    bool moved;
    int outside;
    int inside;

    must(unshare(CLONE_NEWNS), "unshare");
    must(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL), "private");
    must(mount("none", directory, "tmpfs", 0, "mode=1777"), "tmpfs");
    outside = open(directory, O_RDONLY | O_DIRECTORY);
    must(chdir(directory), directory);
    early->make();
    must(snprintf(value, sizeof value, "%s%s%s", early->kind, directory, early->path), "value");
    must(pam_start("other", "alice", &conversation, &file.pam) == PAM_SUCCESS ? 0 : -1, "pam_start");
    early_file_open(&file, value, !early->is_temporary);
    if (!early->is_shared)
        must(mount("none", directory, "tmpfs", 0, "mode=1777"), "tmpfs");
    inside = open(directory, O_RDONLY | O_DIRECTORY);
    must(chdir(directory), directory);
    if (early->inside != NULL)
        early->inside();
    if (early->is_read_only)
        must(mount("none", directory, NULL, MS_REMOUNT | MS_RDONLY, NULL), "read-only");
    moved = early_file_move(&file, &problem);
    if (geteuid() != 0 || access("/root", R_OK | W_OK) < 0)
        return printf("# not root any more\n") < 0;
    if (moved != (early->problem[0] == '\0') || strstr(problem.text, early->problem) == NULL)
        return printf("# %d: %s\n", moved, problem.text) < 0;
    return finds(inside, early->there) && finds(outside, early->left);
}

static void plays(const struct early *early, const char *what)
{
    int status;
    pid_t pid;

    fflush(stdout);
    pid = fork();
    must(pid, "fork");
    if (pid == 0) {
        bool held = is_played(early);

        fflush(stdout);
        _exit(held ? 0 : 1);
    }
    must(waitpid(pid, &status, 0), "waitpid");
    tap(status == 0, "%s", what);
}

#define TICKET "krb5cc_1:f:2001:600 word\n"

static void good(void)
{
    plays(
        &(struct early){
            .kind = "FILE:", .path = "/krb5cc_1", .make = ticket, .problem = "", .there = TICKET, .left = "\n"},
        "a ticket is moved");
    plays(
        &(struct early){.kind = "", .path = "/krb5cc_1", .make = ticket, .problem = "", .there = TICKET, .left = "\n"},
        "a name without a kind is a file");
    plays(
        &(struct early){
            .kind = "FILE:", .path = "/krb5cc_1", .make = old_ticket, .problem = "", .there = TICKET, .left = TICKET},
        "another login's ticket remains outside too");
    plays(&(struct early){.kind = "",
                          .path = "/krb5cc_1",
                          .make = ticket,
                          .is_shared = true,
                          .problem = "",
                          .there = TICKET,
                          .left = TICKET},
          "without a directory of the job's own it remains as it is");
    plays(&(struct early){.kind = "",
                          .path = "/krb5cc_1",
                          .make = ticket,
                          .inside = link_of_its_name,
                          .problem = "",
                          .there = "krb5cc_1:f:2001:600 root target:f:0:666 word\n",
                          .left = "\n"},
          "a link of its name in the job is replaced");
    plays(&(struct early){.kind = "DIR:",
                          .path = "/d",
                          .make = whole_cache,
                          .problem = "",
                          .there = "d/primary:f:2001:600 d/tkt1:f:2001:600 d:d:2001:700 tkt1 word\n",
                          .left = "\n"},
          "a cache that is a directory is moved, and nothing is left");
    plays(&(struct early){.kind = "",
                          .path = "/user/1",
                          .is_temporary = true,
                          .make = temporary,
                          .problem = "",
                          .there = "user/1:d:2001:700 user:d:2001:700\n",
                          .left = "other user/1/own:f:2001:644 user/1:d:2001:755 user:d:0:711\n"},
          "a temporary directory is made, and its files remain outside");
    plays(&(struct early){.kind = "", .path = "/krb5cc_1", .make = nothing, .problem = "", .there = "\n", .left = "\n"},
          "a ticket that has vanished is none");
    plays(
        &(struct early){
            .kind = "KEYRING:persistent:", .path = "/1", .make = nothing, .problem = "", .there = "\n", .left = "\n"},
        "a ticket that is no file is none of ours");
}

static void bad(void)
{
#define ALONE(KIND) .kind = "FILE:", .path = "/krb5cc_1", .make = (KIND), .there = "\n"

    plays(&(struct early){ALONE(link_to_own), .problem = "krb5cc_1 cannot be opened: Too many levels",
                          .left = "krb5cc_1:l:0:777 own:f:2001:644 word\n"},
          "a link is not followed");
    plays(&(struct early){ALONE(fifo), .problem = "krb5cc_1 is not a regular file", .left = "krb5cc_1:p:2001:644\n"},
          "a FIFO is not waited for");
    plays(
        &(struct early){ALONE(of_another), .problem = "krb5cc_1 is not the user's", .left = "krb5cc_1:f:0:644 word\n"},
        "another user's file that all may read is not moved");
    plays(&(struct early){ALONE(secret), .problem = "krb5cc_1 cannot be opened: Permission denied",
                          .left = "krb5cc_1:f:0:600 word\n"},
          "the rights are the user's");
    plays(&(struct early){ALONE(two_names), .problem = "with one name",
                          .left = "krb5cc_1:f:2001:600 own:f:2001:600 word\n"},
          "a file with two names is not moved");
    plays(&(struct early){ALONE(too_large), .problem = "more than 1048576 bytes", .left = "krb5cc_1:f:2001:644\n"},
          "too large a file is not moved");
    plays(&(struct early){.kind = "DIR::",
                          .path = "/a/d/tkt1",
                          .make = cache,
                          .problem = "tkt2 cannot be opened",
                          .there = "a/d/primary:f:2001:600 a/d/tkt1:f:2001:600 a/d:d:2001:700 a:d:2001:700 tkt1 word\n",
                          .left = "a/d/own:f:2001:644 a/d/tkt2:l:2001:777 a/d:d:2001:700 a:d:2001:755 other\n"},
          "of a cache that is a directory only its own regular files are moved");
    plays(&(struct early){ALONE(ticket), .is_read_only = true, .problem = "cannot be copied: Read-only", .left = "\n"},
          "a ticket that cannot be copied is not left to anybody");
    plays(&(struct early){.kind = "",
                          .path = "/krb5cc_1",
                          .make = ticket,
                          .inside = directory_of_its_name,
                          .there = "krb5cc_1:d:0:755\n",
                          .problem = "cannot be copied",
                          .left = "\n"},
          "nor is one whose name is taken by a directory, and no half of it is left");
}

int main(void)
{
    if (geteuid() != 0) {
        tap_say("not root: no file was moved");
        tap(true, "without root nothing is moved");
        return tap_done();
    }
    umask(022);
    if (mkdtemp(directory) == NULL)
        return 1;
    good();
    bad();
    rmdir(directory);
    return tap_done();
}
