package dev.rollcall.port;

import dev.rollcall.model.ProcessRef;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/** Reads processes of all users of this node. All of it may take milliseconds. */
public interface Processes {
  /** A process and its uids. Its holder closes the process. */
  record Owned(PinnedProcess process, int realUid, int effectiveUid) implements AutoCloseable {
    /** A program that is setuid is not its user's. */
    public boolean isOf(int uid) {
      return realUid == uid && effectiveUid == uid;
    }

    @Override
    public void close() {
      process.close();
    }
  }

  /**
   * A process as it was seen, which may have ended.
   *
   * @param parent its pid
   * @param uid its effective uid
   * @param command the kernel's short name
   * @param cgroup its path in the hierarchy in which systemd keeps its units
   */
  record Seen(
      ProcessRef process,
      int parent,
      int realUid,
      int uid,
      String command,
      String cgroup,
      Instant startedAt) {}

  /** The process that has this pid now; empty if none has, or it has ended. */
  Optional<Owned> pin(int pid) throws IOException;

  /** Looks at a process without pinning it. Empty if it has ended, or is another node's. */
  Optional<Seen> see(int pid) throws IOException;

  /**
   * Passes on the pids of the processes that have such an effective uid now, one by one: a user may
   * have a million.
   */
  void forEach(IntPredicate uids, IntConsumer pids);

  /**
   * The user's descendants of this process, at most the nearest thousand, and those of at most ten
   * thousand threads. A process that has left its parents, as a daemon does, is not found.
   */
  List<ProcessRef> below(ProcessRef process, int uid);

  /** Whether the pid still means this process, and the process has not ended. */
  boolean runs(ProcessRef process);

  /** Kills it; false if it has ended. */
  boolean kill(PinnedProcess process) throws IOException;
}
