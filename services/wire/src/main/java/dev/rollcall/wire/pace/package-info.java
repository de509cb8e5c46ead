/** Limits the rate of events, and has periodic work done at the same moments. */
@NullMarked
package dev.rollcall.wire.pace;

import org.jspecify.annotations.NullMarked;
