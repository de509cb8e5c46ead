/** What fuzzing asks of what /proc says of processes. */
@NullMarked
package dev.rollcall.linux.process;

import org.jspecify.annotations.NullMarked;
