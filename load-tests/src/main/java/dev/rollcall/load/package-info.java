/**
 * Loads on the shipped processes, through public doors only. Every load is open: questions are sent
 * when the schedule says, whether or not earlier ones were answered, and an answer's latency counts
 * from that moment.
 */
@NullMarked
package dev.rollcall.load;

import org.jspecify.annotations.NullMarked;
