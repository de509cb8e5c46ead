/**
 * Processes that stay themselves: pidfds, start times, the peer of a unix socket; and their
 * terminals.
 */
@NullMarked
package dev.rollcall.linux.process;

import org.jspecify.annotations.NullMarked;
