/** Identifies the clients of this gateway. No other package does. */
@NullMarked
package dev.rollcall.gateway.identity;

import org.jspecify.annotations.NullMarked;
