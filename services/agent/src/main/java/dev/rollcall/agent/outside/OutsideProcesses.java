package dev.rollcall.agent.outside;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.OutsideProcess;
import dev.rollcall.agent.event.OutsideProcess.Attributed;
import dev.rollcall.agent.event.OutsideProcess.By;
import dev.rollcall.agent.event.OutsideProcess.Plan;
import dev.rollcall.agent.event.OutsideProcessesFound;
import dev.rollcall.agent.event.RememberedAdoption;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Processes;
import dev.rollcall.port.Processes.Seen;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/**
 * Looks over all processes of the node for those of users that are in no job, whether or not their
 * user has one. Moves and kills nothing. On a worker thread: some 20 us for each process of the
 * node, and 100 us for each of a user's.
 *
 * @param isPerson which uids are users' also if they have no job here
 */
record OutsideProcesses(
    Jobs jobs, Processes processes, IntPredicate isPerson, UserServices wanted, Clock clock) {
  /** More are not looked at: the youngest are left out. */
  static final int MOST = 10_000;

  /**
   * Looks once.
   *
   * @param watching whether the kernel reports execs outside of jobs, so that the agent acts on
   *     them
   * @param sessions those that are remembered
   */
  OutsideProcessesFound look(boolean watching, List<RememberedAdoption> sessions)
      throws IOException {
    Map<JobId, Integer> owners = new HashMap<>();
    jobs.list().forEach(job -> owners.put(job.id(), job.uid()));
    Set<Integer> users = jobs.list().stream().map(Job::uid).collect(Collectors.toSet());
    var first = new FirstPids();
    processes.forEach(uid -> uid != 0 && (isPerson.test(uid) || users.contains(uid)), first);
    var one = new Look(watching, owners, bySshd(sessions));
    List<OutsideProcess> found = new ArrayList<>();
    for (int pid : first.pids) {
      one.at(pid).ifPresent(found::add);
    }
    found.sort(
        Comparator.comparingLong((OutsideProcess each) -> each.process().startTime())
            .thenComparingInt(each -> each.process().pid()));
    return new OutsideProcessesFound(found, first.others, clock.instant());
  }

  private static Map<ProcessRef, Adoption> bySshd(List<RememberedAdoption> sessions) {
    Map<ProcessRef, Adoption> bySshd = new HashMap<>();
    sessions.forEach(each -> bySshd.putIfAbsent(each.process(), each.adoption()));
    return bySshd;
  }

  /** The first pids, and the number of the others. */
  private static final class FirstPids implements IntConsumer {
    private final List<Integer> pids = new ArrayList<>();
    private int others;

    @Override
    public void accept(int pid) {
      if (pids.size() < MOST) {
        pids.add(pid);
      } else {
        others++;
      }
    }
  }

  /** One look, with what holds for all of it. */
  private final class Look {
    private final Lineage lineage = new Lineage(processes);
    private final boolean watching;
    private final Map<JobId, Integer> owners;
    private final Map<ProcessRef, Adoption> sessions;
    private final Map<ProcessRef, Optional<JobId>> known = new HashMap<>();

    Look(boolean watching, Map<JobId, Integer> owners, Map<ProcessRef, Adoption> sessions) {
      this.watching = watching;
      this.owners = owners;
      this.sessions = sessions;
    }

    Optional<OutsideProcess> at(int pid) throws IOException {
      Optional<Seen> seen = processes.see(pid);
      return seen.isPresent() && isInNoJob(seen.get().process())
          ? Optional.of(told(seen.get()))
          : Optional.empty();
    }

    private boolean isInNoJob(ProcessRef process) {
      return jobs.membershipOf(process)
          .filter(membership -> membership instanceof Membership.NoJob)
          .isPresent();
    }

    private OutsideProcess told(Seen seen) throws IOException {
      List<Seen> above = lineage.above(seen);
      Optional<Adoption> session =
          above.stream()
              .map(each -> sessions.get(each.process()))
              .filter(Objects::nonNull)
              .findFirst();
      return new OutsideProcess(
          seen.process(),
          seen.uid(),
          seen.command(),
          seen.startedAt(),
          session.isPresent() ? OutsideProcess.Origin.SSH : Origins.of(seen, above),
          seen.cgroup(),
          session,
          attributed(seen, above, session),
          watching ? plan(place(seen)) : Plan.NOTHING);
    }

    private Optional<Attributed> attributed(
        Seen seen, List<Seen> above, Optional<Adoption> session) {
      return above.stream()
          .flatMap(each -> jobOf(each.process()).stream())
          .findFirst()
          .filter(job -> isOf(job, seen.uid()))
          .map(job -> new Attributed(job, By.LINEAGE))
          .or(() ->
              session
                  .flatMap(Look::named)
                  .filter(job -> isOf(job, seen.uid()))
                  .map(job -> new Attributed(job, By.SESSION)));
    }

    /** Many descend from the same few. */
    private Optional<JobId> jobOf(ProcessRef process) {
      return known.computeIfAbsent(
          process, each -> jobs.membershipOf(each).flatMap(Membership::jobStep).map(JobStep::job));
    }

    private boolean isOf(JobId job, int uid) {
      return Optional.ofNullable(owners.get(job)).filter(owner -> owner == uid).isPresent();
    }

    private static Optional<JobId> named(Adoption session) {
      return session.job().map(JobStep::job).or(session::wouldJob);
    }
  }

  private static UnitKind place(Seen seen) {
    return UnitKind.isCalledAsPamChild(seen)
        ? UnitKind.of(seen.cgroup())
        : UnitKind.ofStaying(seen);
  }

  private Plan plan(UnitKind place) {
    return switch (wanted) {
      case REPORT -> Plan.NOTHING;
      case ADOPT ->
          place == UnitKind.USER_SERVICE || place == UnitKind.SCHEDULER ? Plan.ADOPT : Plan.NOTHING;
      case DENY -> place == UnitKind.ELSEWHERE ? Plan.NOTHING : Plan.END;
    };
  }
}
