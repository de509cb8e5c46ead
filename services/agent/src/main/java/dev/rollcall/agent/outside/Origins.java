package dev.rollcall.agent.outside;

import dev.rollcall.agent.event.OutsideProcess.Origin;
import dev.rollcall.port.Processes.Seen;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Finds the origin of a process outside of jobs: by its unit, else by the root's daemon that it
 * descends from. Pure.
 */
final class Origins {
  private static final Map<String, Origin> UNITS =
      Map.of(
          "cron.service", Origin.CRON,
          "crond.service", Origin.CRON,
          "anacron.service", Origin.CRON,
          "fcron.service", Origin.CRON,
          "atd.service", Origin.AT);
  private static final Map<String, Origin> DAEMONS =
      Map.of(
          "cron", Origin.CRON,
          "crond", Origin.CRON,
          "anacron", Origin.CRON,
          "fcron", Origin.CRON,
          "atd", Origin.AT,
          "sshd", Origin.SSH,
          "sshd-session", Origin.SSH,
          "dropbear", Origin.SSH);
  private static final Pattern LOGIN = Pattern.compile("session-[A-Za-z0-9]{1,20}\\.scope");
  private static final int FIRST_PROCESS = 1;

  private Origins() {}

  /**
   * @param above what it descends from, the parent first
   */
  static Origin of(Seen process, List<Seen> above) {
    return switch (UnitKind.of(process.cgroup())) {
      case USER_SERVICE, USER_MANAGER -> Origin.USER_MANAGER;
      case SCHEDULER -> byUnit(process.cgroup()).orElseThrow();
      case ELSEWHERE -> elsewhere(process, above);
    };
  }

  /** By a scheduler's unit; empty if it is in none. */
  static Optional<Origin> byUnit(String cgroup) {
    return parts(cgroup).stream().filter(UNITS::containsKey).findFirst().map(UNITS::get);
  }

  private static Origin elsewhere(Seen process, List<Seen> above) {
    Optional<Origin> daemon = above.stream().flatMap(each -> daemon(each).stream()).findFirst();
    if (daemon.isPresent()) {
      return daemon.get();
    }
    if (parts(process.cgroup()).stream().anyMatch(part -> LOGIN.matcher(part).matches())) {
      return Origin.LOGIN;
    }
    boolean orphan = above.isEmpty() || above.getFirst().process().pid() == FIRST_PROCESS;
    return orphan ? Origin.LEFT_OVER : Origin.UNKNOWN;
  }

  /** A user's process may have any name; root's have those of their programs. */
  private static Optional<Origin> daemon(Seen process) {
    return process.realUid() == 0 && process.uid() == 0
        ? Optional.ofNullable(DAEMONS.get(process.command()))
        : Optional.empty();
  }

  private static List<String> parts(String cgroup) {
    return List.of(cgroup.split("/", -1));
  }
}
