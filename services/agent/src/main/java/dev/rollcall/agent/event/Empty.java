package dev.rollcall.agent.event;

/** A message whose address says all. */
public record Empty() {}
