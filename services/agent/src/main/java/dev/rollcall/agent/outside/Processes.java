package dev.rollcall.agent.outside;

import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.PinnedProcess;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/** Reads processes of all users of this node. All of it may take milliseconds. */
public interface Processes {
  /**
   * A process as it was found. Its holder closes the process.
   *
   * @param uid its effective uid
   * @param command the kernel's short name
   * @param cgroup its path in the hierarchy in which systemd keeps its units
   */
  record Standing(PinnedProcess process, int uid, String command, String cgroup)
      implements AutoCloseable {
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

  /** Empty if it has ended. */
  Optional<Standing> look(int pid) throws IOException;

  /** The same without holding it. Empty also if it is another node's. */
  Optional<Seen> see(int pid) throws IOException;

  /**
   * Passes on the pids of the processes that have such an effective uid now, one by one: a user may
   * have a million.
   */
  void forEach(IntPredicate uids, IntConsumer pids);

  /** Kills it; false if it has ended. */
  boolean kill(PinnedProcess process) throws IOException;
}
