package dev.rollcall.model;

/**
 * A process with its start time, which distinguishes it from a later process with the same pid.
 *
 * @param pid as the node's initial pid namespace numbers it
 * @param startTime clock ticks (1/100 s) since boot: field 22 of {@code /proc/PID/stat}, proc(5)
 */
public record ProcessRef(int pid, long startTime) {
  public ProcessRef {
    if (pid < 1) {
      throw new IllegalArgumentException("pid " + pid + " is not positive");
    }
  }
}
