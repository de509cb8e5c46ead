/** Measures an agent's effect on the jobs beside it: memory, wake-ups, processor time, jitter. */
@NullMarked
package dev.rollcall.load.quiet;

import org.jspecify.annotations.NullMarked;
