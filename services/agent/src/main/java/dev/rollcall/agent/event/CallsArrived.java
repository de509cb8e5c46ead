package dev.rollcall.agent.event;

/** Connections to announced ports of this node stand, and nobody has said who made them. */
public record CallsArrived() {}
