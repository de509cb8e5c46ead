package dev.rollcall.agent.serve;

import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.PinnedProcess;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Reads processes of all users of this node. All of it may take milliseconds. */
public interface UserProcesses {
  /** A process and its uids. Its holder closes the process. */
  record Owned(PinnedProcess process, int realUid, int effectiveUid) implements AutoCloseable {
    /** A program that is setuid is not its user's. */
    boolean isOf(int uid) {
      return realUid == uid && effectiveUid == uid;
    }

    @Override
    public void close() {
      process.close();
    }
  }

  /** The process that has this pid now; empty if none has, or it has ended. */
  Optional<Owned> pin(int pid) throws IOException;

  /**
   * The user's descendants of this process, at most the nearest thousand, and those of at most ten
   * thousand threads. A process that has left its parents, as a daemon does, is not found.
   */
  List<ProcessRef> below(ProcessRef process, int uid);

  /** Whether the pid still means this process, and the process has not ended. */
  boolean runs(ProcessRef process);
}
