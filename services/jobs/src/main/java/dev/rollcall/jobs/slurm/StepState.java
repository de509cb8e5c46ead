package dev.rollcall.jobs.slurm;

/** The state of a step, as its daemon reports it. */
enum StepState {
  STARTING,
  RUNNING,
  /** Cancelled or ending: it takes no process any more. */
  ENDING;

  private static final int RUNS = 2;

  /**
   * @param number 0 not running, 1 starting, 2 running; above that, which number means what is the
   *     release's own, and all of it is the end
   */
  static StepState of(int number) {
    if (number < RUNS) {
      return STARTING;
    }
    return number == RUNS ? RUNNING : ENDING;
  }
}
