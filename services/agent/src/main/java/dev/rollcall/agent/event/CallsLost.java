package dev.rollcall.agent.event;

import java.util.OptionalInt;

/**
 * Calls of this node that should have been told were not: what was told before may not be trusted.
 *
 * @param uid of whose calls this is said; absent: of everybody's
 */
public record CallsLost(long calls, OptionalInt uid) {}
