package dev.rollcall.load.brokentwo;

import dev.rollcall.load.brokenone.Here;

/** Half of a cycle. */
public record There(Here other) {}
