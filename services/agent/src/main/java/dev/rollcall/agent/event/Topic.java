package dev.rollcall.agent.event;

/** An address to which messages of one type are published, without replies. */
@SuppressWarnings("UnusedTypeParameter") // for the compiler: what may be sent there
public record Topic<T>(String address) {}
