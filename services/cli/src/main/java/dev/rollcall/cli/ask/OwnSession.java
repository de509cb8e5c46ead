package dev.rollcall.cli.ask;

import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.process.ProcessStat;
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
   * @param uid its effective one
   */
  public record Seen(ProcessStat stat, int uid, ProcessCgroups cgroups) {
    public ProcessRef process() {
      return new ProcessRef(stat.pid(), stat.startTime());
    }

    public String command() {
      return stat.command();
    }

    boolean inJob() {
      return cgroups.paths().values().stream()
          .anyMatch(path -> path.matches("(?s).*/job_[0-9]+(/.*)?"));
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
                || (each.cgroups().equals(self.cgroups())
                    && (self.inJob() || each.stat().session() == self.stat().session())))
        .toList();
  }

  /** Up to the first process that is not the user's, or in no job, and down again from there. */
  private static Set<Integer> family(Seen self, List<Seen> all) {
    Map<Integer, Seen> byPid =
        all.stream().collect(Collectors.toMap(each -> each.process().pid(), each -> each));
    Seen first = self;
    Seen parent = byPid.get(first.stat().parent());
    Set<Integer> above = new HashSet<>();
    while (parent != null
        && parent.uid() == self.uid()
        && parent.inJob()
        && above.add(parent.process().pid())) {
      first = parent;
      parent = byPid.get(first.stat().parent());
    }
    Set<Integer> family = new HashSet<>(Set.of(first.process().pid()));
    boolean grown = true;
    while (grown) {
      grown =
          all.stream()
                  .filter(each -> family.contains(each.stat().parent()))
                  .filter(each -> family.add(each.process().pid()))
                  .count()
              > 0;
    }
    return family;
  }
}
