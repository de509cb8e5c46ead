package dev.rollcall.agent.event;

/** Calls of this node that should have been told were not: what was told before is not trusted. */
public record CallsLost(long calls) {}
