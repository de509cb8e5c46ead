package dev.rollcall.testkit.jobs;

import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.PinnedProcess;

/** A process that lives until it is told otherwise. Thread-safe. */
public final class FakeProcess implements PinnedProcess {
  private final ProcessRef ref;
  private final String command;
  private volatile boolean alive = true;
  private volatile boolean killable = true;

  FakeProcess(ProcessRef ref, String command) {
    this.ref = ref;
    this.command = command;
  }

  @Override
  public ProcessRef ref() {
    return ref;
  }

  public String command() {
    return command;
  }

  @Override
  public boolean alive() {
    return alive;
  }

  /** Ends of its own. */
  public void exit() {
    alive = false;
  }

  /** From now on a kill does nothing, as with a process that hangs in the kernel; or does again. */
  public void killable(boolean yes) {
    killable = yes;
  }

  public void kill() {
    if (killable) {
      alive = false;
    }
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return command + " " + ref;
  }
}
