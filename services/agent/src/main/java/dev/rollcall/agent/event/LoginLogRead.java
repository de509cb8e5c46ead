package dev.rollcall.agent.event;

/** Asks that all that stands in the module's log be read. Answered by itself when it is. */
public record LoginLogRead() {}
