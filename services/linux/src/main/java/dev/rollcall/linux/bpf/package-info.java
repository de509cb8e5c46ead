/**
 * bpf(2) without libbpf: maps, programs, links and pins, an assembler, the kernel's type
 * information (BTF) and the ring buffer. Knows nothing of calls.
 */
@NullMarked
package dev.rollcall.linux.bpf;

import org.jspecify.annotations.NullMarked;
