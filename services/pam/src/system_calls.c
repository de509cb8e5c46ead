#include "system_calls.h"

#include <sys/syscall.h>
#include <unistd.h>

/* On these the kernel fills in glibc's struct stat: glibc passes it on as it is (sysdeps/unix/sysv/linux/fstatat64.c).
 */
#if !defined __LP64__
#error "the kernel's struct stat may differ from glibc's here"
#endif

ssize_t call_getdents64(int directory, void *entries, size_t size)
{
    return syscall(SYS_getdents64, directory, entries, size);
}

int call_fstat(int fd, struct stat *file)
{
    return (int)syscall(SYS_fstat, fd, file);
}

int call_fstatat(int directory, const char *name, struct stat *file, int flags)
{
    return (int)syscall(SYS_newfstatat, directory, name, file, flags);
}

bool call_same_file(int one, int other)
{
    struct stat first;
    struct stat second;

    return call_fstat(one, &first) == 0 && call_fstat(other, &second) == 0 && first.st_dev == second.st_dev
           && first.st_ino == second.st_ino;
}
