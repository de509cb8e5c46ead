/** Looking up jobs of processes by node and pid in the roll: its memory, time and CPU. */
@NullMarked
package dev.rollcall.load.processes;

import org.jspecify.annotations.NullMarked;
