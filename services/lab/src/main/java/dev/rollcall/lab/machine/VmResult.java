package dev.rollcall.lab.machine;

/**
 * How a command in a machine ended.
 *
 * @param status the command's
 * @param readySeconds from the kernel's start to the command's
 * @param seconds from the kernel's start to the command's end
 */
public record VmResult(int status, double readySeconds, double seconds) {}
