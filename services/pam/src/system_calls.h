/* System calls whose functions in glibc are newer than 2.28, which RHEL 8 has: getdents64 is of 2.30; fstat and fstatat
 * were inline functions before 2.33, and are symbols since. Each returns what the function returns, and sets errno. */
#ifndef ROLLCALL_SYSTEM_CALLS_H
#define ROLLCALL_SYSTEM_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

ssize_t call_getdents64(int directory, void *entries, size_t size);

int call_fstat(int fd, struct stat *file);

int call_fstatat(int directory, const char *name, struct stat *file, int flags);

/* Whether both are open, and of one file: by call_fstat. */
bool call_same_file(int one, int other);

#endif
