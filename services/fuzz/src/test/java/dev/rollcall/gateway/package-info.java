/** What fuzzing asks of a gateway. */
@NullMarked
package dev.rollcall.gateway;

import org.jspecify.annotations.NullMarked;
