package dev.rollcall.cli;

import dev.rollcall.model.ProcessRef;
import java.util.List;

/**
 * Which processes make up the session that a process is in: those of its job's cgroup, where it is
 * in a job, and else those of its terminal session.
 */
final class OwnSession {
  /**
   * A process as /proc shows it.
   *
   * @param uid its effective one
   * @param session field 6 of {@code /proc/PID/stat}
   * @param cgroup all of {@code /proc/PID/cgroup}
   */
  record Seen(ProcessRef process, int uid, int session, String cgroup, String command) {
    boolean inJob() {
      return cgroup.matches("(?s).*/job_[0-9]+(/.*|\\n.*|)");
    }
  }

  private OwnSession() {}

  /**
   * The others of the session, whoever's they are.
   *
   * @param self is one of {@code all}
   */
  static List<Seen> of(Seen self, List<Seen> all) {
    return all.stream()
        .filter(each -> !each.process().equals(self.process()))
        .filter(each ->
            self.inJob()
                ? each.cgroup().equals(self.cgroup())
                : each.session() == self.session() && each.cgroup().equals(self.cgroup()))
        .toList();
  }
}
