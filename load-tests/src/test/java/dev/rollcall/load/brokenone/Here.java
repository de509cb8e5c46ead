package dev.rollcall.load.brokenone;

import dev.rollcall.load.brokentwo.There;

/** Half of a cycle. */
public record Here(There other) {}
