package dev.rollcall.model;

/** A connection, by its caller's end, and its caller. */
public record Call(Connection connection, Caller caller) {}
