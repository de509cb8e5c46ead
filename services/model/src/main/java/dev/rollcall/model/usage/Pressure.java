package dev.rollcall.model.usage;

import java.time.Duration;

/**
 * The time that some process waited for each resource ({@code some total=} of {@code cpu.pressure},
 * {@code memory.pressure}, {@code io.pressure}; Linux 4.20, Documentation/accounting /psi).
 */
public record Pressure(Duration cpu, Duration memory, Duration io) {}
