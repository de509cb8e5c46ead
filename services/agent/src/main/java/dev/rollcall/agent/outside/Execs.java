package dev.rollcall.agent.outside;

import dev.rollcall.linux.execs.ExecWatch;
import java.io.IOException;
import java.util.Set;

/** Reports programs that users start outside the cgroups of jobs, by the kernel's events. */
public interface Execs extends AutoCloseable {
  /** The cgroup in which all jobs are does not exist yet: a job makes it. */
  final class NotYetException extends IOException {
    private static final long serialVersionUID = 1L;

    public NotYetException(String message) {
      super(message);
    }
  }

  /**
   * Begins to report, for no user yet.
   *
   * @throws NotYetException if it may succeed when there is another job
   * @throws IOException with the reason, for people
   */
  void open(ExecWatch.Listener listener) throws IOException;

  /** From now on these users, and no others. */
  void watch(Set<Integer> uids) throws IOException;

  @Override
  void close();
}
