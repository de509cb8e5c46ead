package dev.rollcall.agent.brokenone;

import dev.rollcall.agent.brokentwo.SecondStage;

/** A stage that sees another. */
public record FirstStage(SecondStage next) {}
