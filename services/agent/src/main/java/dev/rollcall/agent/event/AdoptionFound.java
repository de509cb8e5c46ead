package dev.rollcall.agent.event;

import java.util.Optional;

/** The adoption that was asked for, if it is still remembered. */
public record AdoptionFound(Optional<AdoptionsFound.Remembered> adoption) {}
