/**
 * Measures lookups of callers at gateways. The load is open: questions are sent when the schedule
 * says, whether or not earlier ones were answered, and an answer's latency counts from that moment.
 */
@NullMarked
package dev.rollcall.load.lookup;

import org.jspecify.annotations.NullMarked;
