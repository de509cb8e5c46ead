package dev.rollcall.agent.event;

/**
 * What a stage can do now.
 *
 * @param stage its package's name
 * @param needed whether the agent is not ready without it
 * @param detail for people
 */
public record StageHealth(String stage, boolean needed, boolean well, String detail) {}
