package dev.rollcall.agent.event;

/** An address at which one stage answers queries of others. */
@SuppressWarnings("UnusedTypeParameter") // for the compiler: what is asked and answered there
public record Query<Q, A>(String address) {}
