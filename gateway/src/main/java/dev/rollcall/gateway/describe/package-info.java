/** What tools ask a gateway about itself: whether it serves, and what. */
@NullMarked
package dev.rollcall.gateway.describe;

import org.jspecify.annotations.NullMarked;
