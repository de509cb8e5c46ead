/** Who is at the other end of a connection to this gateway: the one place that decides it. */
@NullMarked
package dev.rollcall.gateway.identity;

import org.jspecify.annotations.NullMarked;
