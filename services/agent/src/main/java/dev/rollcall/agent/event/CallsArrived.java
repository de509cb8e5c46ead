package dev.rollcall.agent.event;

/** Reports connections to tracked ports of this node whose caller was not pushed. */
public record CallsArrived() {}
