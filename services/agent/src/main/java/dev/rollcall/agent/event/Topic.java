package dev.rollcall.agent.event;

/** An address to which messages of one type are published; nobody answers. */
public record Topic<T>(String address, Class<T> type) {}
