/**
 * Runs work that waits for the Hazelcast cluster outside of the event loops, with bounded queues.
 */
@NullMarked
package dev.rollcall.gateway.work;

import org.jspecify.annotations.NullMarked;
