package dev.rollcall.agent.event;

/** Asks what would be decided if this user came now. */
public record PredictionAsked(int uid) {}
