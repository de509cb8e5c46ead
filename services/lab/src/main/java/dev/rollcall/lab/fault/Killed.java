package dev.rollcall.lab.fault;

import dev.rollcall.lab.cluster.Daemon;

/** A process of Rollcall's that was killed by SIGKILL; closing starts it again. */
public final class Killed implements InjectedFault {
  private final Daemon daemon;
  private boolean over;

  private Killed(Daemon daemon) {
    this.daemon = daemon;
  }

  public static Killed of(Daemon daemon) {
    daemon.kill();
    return new Killed(daemon);
  }

  /** Starts it, and returns when it is ready. */
  @Override
  public void close() {
    if (!over) {
      over = true;
      daemon.start();
      daemon.awaitReady();
    }
  }
}
