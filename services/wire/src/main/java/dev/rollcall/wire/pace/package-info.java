/** Limits the rate of events. */
@NullMarked
package dev.rollcall.wire.pace;

import org.jspecify.annotations.NullMarked;
