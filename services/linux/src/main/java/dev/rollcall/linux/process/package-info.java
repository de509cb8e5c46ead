/** Processes that stay themselves: pidfds, start times, and the peer of a unix socket. */
@NullMarked
package dev.rollcall.linux.process;

import org.jspecify.annotations.NullMarked;
