package dev.rollcall.agent.series;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.model.CgroupIds;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership;
import dev.rollcall.port.CallSource;
import dev.rollcall.port.CallSource.PortCalls;
import dev.rollcall.port.CallSource.WatchedCalls;
import dev.rollcall.port.Jobs;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the jobs of the calls that the kernel counts for cgroups. Cgroups of no job lose their
 * place in the kernel's map, so that users who make many cannot fill it for long.
 */
public final class JobCalls {
  private static final System.Logger LOG = System.getLogger(JobCalls.class.getName());

  /** Below it a cgroup that is not known yet keeps its place. */
  private static final int MANY = 4_096;

  private record Place(CgroupIds cgroups, int port) {}

  private record Counted(JobId job, long number) {}

  private final CallSource source;
  private final Jobs jobs;
  private final Map<Integer, String> services;
  private Map<Place, Counted> counted = new HashMap<>();

  /**
   * @param services their names, by the ports that the source watches
   */
  public JobCalls(CallSource source, Jobs jobs, Map<Integer, String> services) {
    this.source = source;
    this.jobs = jobs;
    boolean counts = source.watchedCalls().isPresent();
    this.services = counts ? Map.copyOf(services) : Map.of();
    if (!counts && !services.isEmpty()) {
      LOG.log(WARNING, "watched_services: no call is counted, because {0} cannot", source.name());
    }
  }

  boolean watches() {
    return !services.isEmpty();
  }

  /** Adds what came since the last read; returns how many calls were not counted so far. */
  synchronized long read(KnownSeries known) {
    if (!watches()) {
      return 0;
    }
    WatchedCalls now = source.watchedCalls().orElse(WatchedCalls.NONE);
    Map<Place, Counted> next = new HashMap<>();
    for (PortCalls calls : now.calls()) {
      var place = new Place(calls.cgroups(), calls.port());
      Optional<Counted> before = Optional.ofNullable(counted.get(place));
      Optional<Membership> member = jobs.membershipOf(calls.cgroups());
      Optional<JobId> job = member.flatMap(Membership::jobStep).map(JobStep::job);
      job.or(() -> before.map(Counted::job))
          .ifPresent(its -> {
            long earlier = before.map(Counted::number).orElse(0L);
            String service = services.getOrDefault(calls.port(), "");
            boolean added = known.called(its, service, calls.number() - earlier);
            next.put(place, new Counted(its, added ? calls.number() : earlier));
          });
      if (job.isEmpty() && (member.isPresent() || now.calls().size() > MANY)) {
        source.forget(calls);
        next.remove(place);
      }
    }
    counted = next;
    return now.uncounted();
  }
}
