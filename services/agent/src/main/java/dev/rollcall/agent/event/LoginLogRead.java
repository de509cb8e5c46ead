package dev.rollcall.agent.event;

/** Asks to read the module's log up to its end. Answered by itself when it is. */
public record LoginLogRead() {}
