/* Included before every file of what is shipped (Makefile, -include). glibc 2.38 redirects strtol(3) and its relatives
 * to new symbols, __isoc23_strtol, where _GNU_SOURCE is defined (features.h). RHEL 8 has glibc 2.28, so programs that
 * are built on a newer system use the old symbols. */
#ifndef ROLLCALL_OLDEST_GLIBC_H
#define ROLLCALL_OLDEST_GLIBC_H

#include <features.h>

#undef __GLIBC_USE_C2X_STRTOL
#define __GLIBC_USE_C2X_STRTOL 0
#undef __GLIBC_USE_C23_STRTOL
#define __GLIBC_USE_C23_STRTOL 0

#endif
