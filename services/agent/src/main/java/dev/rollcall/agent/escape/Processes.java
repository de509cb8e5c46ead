package dev.rollcall.agent.escape;

import dev.rollcall.port.PinnedProcess;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Processes of this node, whoever's. All of it may take milliseconds. */
public interface Processes {
  /**
   * A process as it was found. Whoever has it closes the process.
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

  /** Empty if it has ended. */
  Optional<Standing> look(int pid) throws IOException;

  /** The processes that have this uid now. */
  List<Integer> of(int uid);

  /** Kills it; false if it has ended. */
  boolean kill(PinnedProcess process) throws IOException;
}
