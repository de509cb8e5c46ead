/** Watches whether this process still answers, and reports that to systemd. */
@NullMarked
package dev.rollcall.wire.alive;

import org.jspecify.annotations.NullMarked;
