/** What fuzzing asks of a batch system's words. */
@NullMarked
package dev.rollcall.gateway.batch;

import org.jspecify.annotations.NullMarked;
