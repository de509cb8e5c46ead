/**
 * Programs that chosen users begin outside a part of the cgroup2 tree, told by the kernel as they
 * begin.
 */
@NullMarked
package dev.rollcall.linux.execs;

import org.jspecify.annotations.NullMarked;
