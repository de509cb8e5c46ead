package dev.rollcall.wire.metrics;

/**
 * The health of a process.
 *
 * @param ready whether what it is for can be asked of it
 * @param type of the report, as HTTP names it
 * @param report for people and machines; nothing in it is about users
 */
public record HealthReport(boolean ready, String type, String report) {}
