package dev.rollcall.agent.event;

/** Asks connect how it stands. */
public record GatewayStateAsked() {}
