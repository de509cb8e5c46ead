package dev.rollcall.jobs.slurm;

/**
 * Requests to a step daemon that are in use, with their numbers on the wire, which no release from
 * 22.05 to 26.05 changed. Each is an int in the machine's order, then its arguments.
 */
enum StepRequest {
  STATE(5),
  UID(20),
  ADD_EXTERN_PID(22),
  X11_DISPLAY(23),
  GETPW(24),
  /** The mount namespace alone. */
  GET_NS_FD(26),
  /** All namespaces, from 25.11 on. */
  GET_NS_FDS(28);

  private final int number;

  StepRequest(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}
