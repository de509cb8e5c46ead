package dev.rollcall.agent.event;

/**
 * The current health of a stage.
 *
 * @param stage its package's name
 * @param needed whether the agent is not ready without it
 * @param detail for people
 */
public record StageHealth(String stage, boolean needed, boolean well, String detail) {}
