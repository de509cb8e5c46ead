package dev.rollcall.lab.demo;

import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import java.time.Duration;
import java.util.function.LongSupplier;

/** A command that was started as a step of a job, or beside all jobs. */
public final class InJob {
  private final Running running;
  private final LongSupplier pid;

  private InJob(Running running, LongSupplier pid) {
    this.running = running;
    this.pid = pid;
  }

  /** The process that was started is the command. */
  static InJob of(Running running) {
    return new InJob(running, running::pid);
  }

  /**
   * The process that was started waits for the command.
   *
   * @param pid the command's, once it is known; asked when it is needed
   */
  static InJob behind(Running running, LongSupplier pid) {
    return new InJob(running, pid);
  }

  /** The pid of the command itself, as the whole machine sees it. */
  public long pid() {
    return pid.getAsLong();
  }

  public boolean isAlive() {
    return running.isAlive();
  }

  /** Waits for the end; at the deadline this throws. */
  public Result await(Duration deadline) {
    return running.await(deadline);
  }

  /** What it has written so far, once a line with the text is among it. */
  public String awaitLine(String text, Duration deadline) {
    running.awaitLine(text, deadline);
    return running.outSoFar();
  }

  /** Kills the command, if it still runs. */
  public void kill() {
    if (running.isAlive()) {
      ProcessHandle.of(pid()).ifPresent(ProcessHandle::destroyForcibly);
    }
    running.kill();
  }
}
