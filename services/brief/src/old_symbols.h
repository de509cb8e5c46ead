/* Binds a function to the first version of its symbol in glibc, which every glibc of the architecture has. */
#ifndef ROLLCALL_OLD_SYMBOLS_H
#define ROLLCALL_OLD_SYMBOLS_H

#if defined __x86_64__
#define FIRST_GLIBC "GLIBC_2.2.5"
#elif defined __aarch64__
#define FIRST_GLIBC "GLIBC_2.17"
#else
#error "which version of glibc was the first on this architecture?"
#endif

#define OLD_SYMBOL(function, symbol) __asm__(".symver " #function ", " #symbol "@" FIRST_GLIBC)

#endif
