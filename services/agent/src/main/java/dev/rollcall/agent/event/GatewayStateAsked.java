package dev.rollcall.agent.event;

/** Asks for the state of the connection to a gateway. */
public record GatewayStateAsked() {}
