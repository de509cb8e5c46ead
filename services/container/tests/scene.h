/* Where a test plays: in mount and pid namespaces of its own, as process 1 with a /proc of its own, so that it sees all
 * that a program leaves, and the kernel ends all of it with the test. */
#ifndef ROLLCALL_SCENE_H
#define ROLLCALL_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Ends the test with perror(3) if the result is negative. */
void must(int result, const char *what);

/* Runs the test there and returns what it returns. Without root: only says so, and returns 0. */
int scene_run(int (*test)(void));

/* Another path for the program, by which every user can run it, whoever may search the directories that it is in. */
const char *scene_program(const char *path);

/* How many processes there are beside process 1, zombies included. */
int scene_others(void);

/* Whether there are as many within five seconds. Orphans, which become children of process 1, are reaped meanwhile. */
bool await_others(int count);

/* The status of waitpid(2); -1 if it had to be killed. */
int await_end(pid_t pid, int milliseconds);

/* Whether the process with this number is gone, zombie and all, within five seconds. Children of this process are
 * reaped. */
bool await_gone(pid_t pid);

/* A mount namespace of the initial user namespace, private, with no process in it, for "--mount": the path of a
 * descriptor. In it, arrange is run as long as nobody else is there; NULL: nothing. */
const char *scene_mounts(void (*arrange)(void));

/* A namespace of a process, opened. */
int scene_open(pid_t pid, const char *file);

/* The number of a process's namespace; 0 if it cannot be read. */
ino_t scene_inode(pid_t pid, const char *file);

/* Runs the function in these namespaces of a process, as a child in its pid namespace: "user", "pid", "net" and so on,
 * "mnt" last. Returns its exit status, -1 if it did not end by itself. The file names end with NULL. */
int scene_inside(pid_t pid, const char *const *files, int (*play)(void));

/* Reads a file, to the size or its end. False if it cannot be opened. */
bool scene_read(const char *path, char *text, size_t size);

/* Writes to a file that is there. */
bool scene_write(const char *path, const char *text);

#endif
