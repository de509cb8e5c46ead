/** How much each of those who reach a gateway may ask of it. */
@NullMarked
package dev.rollcall.gateway.limit;

import org.jspecify.annotations.NullMarked;
