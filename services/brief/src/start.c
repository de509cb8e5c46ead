/* Has this program start on glibc 2.28, which RHEL 8 has, wherever it was built. glibc 2.34 gave new versions to
 * __libc_start_main and to what it moved from libpthread into libc. The old versions do the same and are still in
 * every glibc. The linker passes the reference of crt1.o on to here (Makefile, --wrap). */
#include "old_symbols.h"

typedef int program(int count, char **words, char **environment);

int start_as_before(program *run, int count, char **words, void (*begin)(void), void (*end)(void),
                    void (*end_loader)(void), void *stack_end);
int __wrap___libc_start_main(program *run, int count, char **words, void (*begin)(void), void (*end)(void),
                             void (*end_loader)(void), void *stack_end);

OLD_SYMBOL(start_as_before, __libc_start_main);

/* A crt1.o of glibc 2.34 and later gives no function that calls the program's constructors, and a glibc before 2.34
 * then calls none (csu/libc-start.c). This program has none. */
int __wrap___libc_start_main(program *run, int count, char **words, void (*begin)(void), void (*end)(void),
                             void (*end_loader)(void), void *stack_end)
{
    return start_as_before(run, count, words, begin, end, end_loader, stack_end);
}
