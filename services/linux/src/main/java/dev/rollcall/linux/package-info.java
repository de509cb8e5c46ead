/**
 * The kernel, by one downcall on libc's {@code syscall(2)}: no JNI and no library of our own. A
 * failed call is an {@link dev.rollcall.linux.ErrnoException} that names call, subject and errno.
 */
@NullMarked
package dev.rollcall.linux;

import org.jspecify.annotations.NullMarked;
