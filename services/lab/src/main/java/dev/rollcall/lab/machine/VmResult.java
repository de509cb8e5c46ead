package dev.rollcall.lab.machine;

/**
 * The result of a command in a machine.
 *
 * @param status the command's
 * @param readySeconds from the kernel's start to the command's
 * @param seconds from the kernel's start to the command's end
 */
public record VmResult(int status, double readySeconds, double seconds) {}
