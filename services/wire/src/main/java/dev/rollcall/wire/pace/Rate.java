package dev.rollcall.wire.pace;

/**
 * A number of events a second.
 *
 * @param atOnce how often after a rest
 */
public record Rate(double perSecond, double atOnce) {}
