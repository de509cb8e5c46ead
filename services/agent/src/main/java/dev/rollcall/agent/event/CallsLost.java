package dev.rollcall.agent.event;

/**
 * Reports that calls of this node were not pushed; earlier pushed callers are no longer trusted.
 */
public record CallsLost(long calls) {}
