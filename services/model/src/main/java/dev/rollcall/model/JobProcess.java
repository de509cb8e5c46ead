package dev.rollcall.model;

/**
 * A process of a job.
 *
 * @param command the kernel's short name, {@code /proc/PID/comm}, at most 15 bytes; empty when it
 *     is not known
 */
public record JobProcess(ProcessRef process, StepId step, String command) {}
