package dev.rollcall.lab.fault;

import dev.rollcall.lab.cluster.Daemon;
import dev.rollcall.lab.cluster.ProcessStart;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.RigException;
import dev.rollcall.testkit.process.Running;
import java.time.Duration;
import java.util.List;

/** System calls of a process that fail, all of some kinds, by strace(1). It runs slower besides. */
public final class FailingCalls implements InjectedFault {
  private static final Duration DEADLINE = Patience.ofSeconds(20);

  private final Daemon daemon;
  private final Running strace;

  private FailingCalls(Daemon daemon, Running strace) {
    this.daemon = daemon;
    this.strace = strace;
  }

  /**
   * @param calls as "fsync,fdatasync"
   * @param error as "EIO"
   */
  public static FailingCalls of(Daemon daemon, String calls, String error) {
    var failing =
        new FailingCalls(
            daemon,
            Running.start(
                List.of(
                    "strace",
                    "-f",
                    "-p",
                    Long.toString(daemon.pid()),
                    "-o",
                    "/dev/null",
                    "-e",
                    "trace=" + calls,
                    "-e",
                    "inject=" + calls + ":error=" + error)));
    try {
      Eventually.await(
          DEADLINE,
          () -> ProcessStart.isTraced(daemon.pid()) || !failing.strace.isAlive(),
          () -> "strace does not attach to " + daemon);
    } catch (RigException e) {
      failing.close();
      throw e;
    }
    if (!failing.strace.isAlive()) {
      throw new RigException(
          "strace of " + daemon + " ended: " + failing.strace.await(DEADLINE).err());
    }
    return failing;
  }

  /** Returns when no thread of the process is traced any more. */
  @Override
  public void close() {
    ProcessHandle.of(strace.pid()).ifPresent(ProcessHandle::destroy); // SIGTERM: it detaches
    Eventually.await(
        DEADLINE,
        () -> !strace.isAlive() && !ProcessStart.isTraced(daemon.pid()),
        () -> "strace does not leave " + daemon);
  }
}
