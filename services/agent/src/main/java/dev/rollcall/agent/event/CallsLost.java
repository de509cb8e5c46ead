package dev.rollcall.agent.event;

/** Calls of this node that should have been told were not. */
public record CallsLost(long calls) {}
