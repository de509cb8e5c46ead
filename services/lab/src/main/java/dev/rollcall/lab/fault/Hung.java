package dev.rollcall.lab.fault;

import dev.rollcall.lab.cluster.Daemon;
import dev.rollcall.lab.cluster.ProcessStart;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;

/** A process of Rollcall's that was stopped by SIGSTOP: its sockets stay and nobody answers. */
public final class Hung implements InjectedFault {
  private final Daemon daemon;
  private final long pid;

  private Hung(Daemon daemon) {
    this.daemon = daemon;
    this.pid = daemon.pid();
  }

  public static Hung of(Daemon daemon) {
    daemon.signal("STOP");
    // A signal to a process reaches its threads one after the other.
    Eventually.await(
        Patience.ofSeconds(10),
        () -> ProcessStart.isStopped(daemon.pid()),
        () -> daemon + " does not stop");
    return new Hung(daemon);
  }

  @Override
  public void close() {
    // One that was killed meanwhile has a successor, which is not stopped.
    if (daemon.pid() == pid && daemon.isAlive()) {
      daemon.signal("CONT");
    }
  }
}
