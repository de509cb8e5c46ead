package dev.rollcall.lab.fault;

import dev.rollcall.lab.cluster.ProcessStart;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.RigException;
import dev.rollcall.testkit.process.Running;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A file that opens late, for a process and all that it starts, by strace(1). */
public final class SlowOpening implements InjectedFault {
  private static final Duration DEADLINE = Patience.ofSeconds(20);

  private final long pid;
  private final Running strace;

  private SlowOpening(long pid, Running strace) {
    this.pid = pid;
    this.strace = strace;
  }

  /**
   * @param file as the processes name it
   */
  public static SlowOpening of(long pid, Path file, Duration late) {
    String inject = "inject=openat:delay_enter=%d".formatted(late.toMillis() * 1_000);
    var slow =
        new SlowOpening(
            pid,
            Running.start(
                List.of(
                    "strace",
                    "-f",
                    "-p",
                    Long.toString(pid),
                    "-o",
                    "/dev/null",
                    "-P",
                    file.toString(),
                    "-e",
                    "trace=openat",
                    "-e",
                    inject)));
    Eventually.await(
        DEADLINE,
        () -> ProcessStart.isTraced(pid) || !slow.strace.isAlive(),
        () -> "strace does not attach to process " + pid);
    if (!slow.strace.isAlive()) {
      throw new RigException(
          "strace of process " + pid + " ended: " + slow.strace.await(DEADLINE).err());
    }
    return slow;
  }

  /** Returns when the process is not traced any more. */
  @Override
  public void close() {
    ProcessHandle.of(strace.pid()).ifPresent(ProcessHandle::destroy); // SIGTERM: it detaches
    Eventually.await(
        DEADLINE,
        () -> !strace.isAlive() && !ProcessStart.isTraced(pid),
        () -> "strace does not leave process " + pid);
  }
}
