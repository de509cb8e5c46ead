/** What fuzzing asks of BTF. */
@NullMarked
package dev.rollcall.linux.bpf;

import org.jspecify.annotations.NullMarked;
