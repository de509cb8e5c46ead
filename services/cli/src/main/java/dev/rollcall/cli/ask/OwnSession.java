package dev.rollcall.cli.ask;

import dev.rollcall.model.ProcessRef;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which processes make up the session that a process is in. In a job: those of its cgroup, and
 * those that come from the same first process of the user's, as each that was moved before has a
 * cgroup of its own. Outside: those of its terminal session.
 */
public final class OwnSession {
  /**
   * A process as /proc shows it.
   *
   * @param parent its pid
   * @param uid its effective one
   * @param session field 6 of {@code /proc/PID/stat}
   * @param cgroup all of {@code /proc/PID/cgroup}
   */
  public record Seen(
      ProcessRef process, int parent, int uid, int session, String cgroup, String command) {
    boolean inJob() {
      return cgroup.matches("(?s).*/job_[0-9]+(/.*|\\n.*|)");
    }
  }

  private OwnSession() {}

  /**
   * Returns the other processes of the session, of any user.
   *
   * @param self is one of {@code all}
   */
  public static List<Seen> of(Seen self, List<Seen> all) {
    Set<Integer> family = self.inJob() ? family(self, all) : Set.of();
    return all.stream()
        .filter(each -> !each.process().equals(self.process()))
        .filter(each ->
            family.contains(each.process().pid())
                || (each.cgroup().equals(self.cgroup())
                    && (self.inJob() || each.session() == self.session())))
        .toList();
  }

  /** Up to the first process that is not the user's, or in no job, and down again from there. */
  private static Set<Integer> family(Seen self, List<Seen> all) {
    Map<Integer, Seen> byPid =
        all.stream().collect(Collectors.toMap(each -> each.process().pid(), each -> each));
    Seen first = self;
    Seen parent = byPid.get(first.parent());
    Set<Integer> above = new HashSet<>();
    while (parent != null
        && parent.uid() == self.uid()
        && parent.inJob()
        && above.add(parent.process().pid())) {
      first = parent;
      parent = byPid.get(first.parent());
    }
    Set<Integer> family = new HashSet<>(Set.of(first.process().pid()));
    boolean grown = true;
    while (grown) {
      grown =
          all.stream()
                  .filter(each -> family.contains(each.parent()))
                  .filter(each -> family.add(each.process().pid()))
                  .count()
              > 0;
    }
    return family;
  }
}
