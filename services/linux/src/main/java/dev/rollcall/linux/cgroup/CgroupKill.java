package dev.rollcall.linux.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Kills the processes in a cgroup and below it. One round may miss a process that was forked during
 * it; the caller repeats this until the cgroup is empty.
 */
public enum CgroupKill {
  /** {@code cgroup.kill}, Linux 5.14: the kernel kills all, forks that race it too. */
  AT_ONCE(Optional.empty()),
  /** v2 of older kernels: stop all, so that none can fork, kill each, let go. */
  FROZEN_V2(Optional.of(Freezer.V2)),
  /** The v1 freezer. */
  FROZEN_V1(Optional.of(Freezer.V1)),
  /** Other v1 controllers: nothing there stops a process. */
  EACH(Optional.empty());

  /** Freezing waits for tasks in the kernel; those that never come out are killed unfrozen. */
  private static final Duration TO_FREEZE = Duration.ofMillis(500);

  private final Optional<Freezer> freezer;

  CgroupKill(Optional<Freezer> freezer) {
    this.freezer = freezer;
  }

  /** Kills one process, which is the one meant as long as it is in the cgroup. */
  @FunctionalInterface
  public interface Signal {
    void kill(int pid, CgroupDirectory in) throws IOException;
  }

  /** The best way that this cgroup offers. */
  public static CgroupKill of(CgroupDirectory directory) {
    if (Files.exists(directory.path().resolve("cgroup.kill"))) {
      return AT_ONCE;
    }
    if (Freezer.V2.servesIn(directory)) {
      return FROZEN_V2;
    }
    return Freezer.V1.servesIn(directory) ? FROZEN_V1 : EACH;
  }

  /**
   * One round.
   *
   * @return the processes that were there before it
   */
  public List<Integer> round(CgroupDirectory top, Signal signal, BoundedWait patience)
      throws IOException {
    if (this == AT_ONCE) {
      try {
        return top.pidsBelow();
      } finally {
        top.write("cgroup.kill", "1");
      }
    }
    List<Integer> before = top.pidsBelow();
    if (before.isEmpty()) {
      return before;
    }
    if (freezer.isEmpty()) {
      killEach(top, signal);
      return before;
    }
    try {
      freezer.get().freeze(top, patience.atMost(TO_FREEZE));
      return killEach(top, signal);
    } finally {
      freezer.get().thaw(top);
    }
  }

  private static List<Integer> killEach(CgroupDirectory top, Signal signal) throws IOException {
    List<Integer> killed = new java.util.ArrayList<>();
    top.walk(directory -> {
      for (int pid : directory.pids()) {
        signal.kill(pid, directory);
        killed.add(pid);
      }
    });
    return killed;
  }
}
