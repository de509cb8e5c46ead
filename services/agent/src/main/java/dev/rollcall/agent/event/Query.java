package dev.rollcall.agent.event;

/** An address at which one stage answers queries of others. */
public record Query<Q, A>(String address, Class<Q> question, Class<A> answer) {}
