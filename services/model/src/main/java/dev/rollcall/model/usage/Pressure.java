package dev.rollcall.model.usage;

import java.time.Duration;

/**
 * For how long some process had to wait for want of each ({@code some total=} of {@code
 * cpu.pressure}, {@code memory.pressure}, {@code io.pressure}; Linux 4.20, Documentation/accounting
 * /psi).
 */
public record Pressure(Duration cpu, Duration memory, Duration io) {}
