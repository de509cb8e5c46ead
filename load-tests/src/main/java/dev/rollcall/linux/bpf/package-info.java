/** Measurements of the kernel's maps. */
@NullMarked
package dev.rollcall.linux.bpf;

import org.jspecify.annotations.NullMarked;
