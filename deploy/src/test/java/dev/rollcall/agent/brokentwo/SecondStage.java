package dev.rollcall.agent.brokentwo;

import dev.rollcall.agent.brokenone.FirstStage;
import java.lang.foreign.Arena;

/** Closes the circle, and reaches for memory that is not Java's. */
public record SecondStage(FirstStage previous, Arena arena) {}
