/** Measures the move of a process into another cgroup, on this kernel, as it is mounted. */
@NullMarked
package dev.rollcall.load.move;

import org.jspecify.annotations.NullMarked;
