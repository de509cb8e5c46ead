/**
 * Where the gateway waits: for the grid, off the event loops, and never for more than is bounded.
 */
@NullMarked
package dev.rollcall.gateway.work;

import org.jspecify.annotations.NullMarked;
