package dev.rollcall.agent.event;

import java.util.Optional;

/** The requested adoption, if the history still has it. */
public record AdoptionFound(Optional<AdoptionsFound.Remembered> adoption) {}
