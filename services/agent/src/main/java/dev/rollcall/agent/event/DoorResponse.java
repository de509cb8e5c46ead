package dev.rollcall.agent.event;

/** What comes back to the module: what was decided and carried out, or a question to the user. */
public sealed interface DoorResponse permits DoorAnswer, JobsOffered {}
