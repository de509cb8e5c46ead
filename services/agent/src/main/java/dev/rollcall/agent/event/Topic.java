package dev.rollcall.agent.event;

/** An address to which messages of one type are published, without replies. */
public record Topic<T>(String address, Class<T> type) {}
