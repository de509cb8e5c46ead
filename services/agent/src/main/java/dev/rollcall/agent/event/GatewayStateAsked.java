package dev.rollcall.agent.event;

/** Asks attend how it stands. */
public record GatewayStateAsked() {}
