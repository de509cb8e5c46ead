/** Limits the requests of each client of a gateway. */
@NullMarked
package dev.rollcall.gateway.limit;

import org.jspecify.annotations.NullMarked;
