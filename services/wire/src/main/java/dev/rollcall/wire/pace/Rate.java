package dev.rollcall.wire.pace;

/**
 * How often something may happen.
 *
 * @param atOnce how often after a rest
 */
public record Rate(double perSecond, double atOnce) {}
