package dev.rollcall.agent.account;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.usage.Incident;
import dev.rollcall.model.usage.Usage;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.model.usage.UsageRecord.Kind;
import dev.rollcall.port.Jobs;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Sums the usage of all jobs of this node: those that ended since the agent started, and those that
 * run, as they were last looked at. Of a job that ran before, it counts from the first look. What
 * no job's cgroups count has no metric. Thread-safe.
 */
final class NodeUsage {
  /** Of one job or of many. */
  private record Sum(
      double user, double system, double read, double written, boolean time, boolean devices) {
    static final Sum ZERO = new Sum(0, 0, 0, 0, false, false);

    static Sum of(Usage usage) {
      return new Sum(
          seconds(usage.userTime().orElse(Duration.ZERO)),
          seconds(usage.systemTime().orElse(Duration.ZERO)),
          usage.readBytes().orElse(0),
          usage.writtenBytes().orElse(0),
          usage.userTime().isPresent(),
          usage.readBytes().isPresent());
    }

    private static double seconds(Duration time) {
      return time.toNanos() / 1e9;
    }

    Sum most(Sum other) {
      return new Sum(
          Math.max(user, other.user),
          Math.max(system, other.system),
          Math.max(read, other.read),
          Math.max(written, other.written),
          time || other.time,
          devices || other.devices);
    }

    Sum plus(Sum other) {
      return new Sum(
          user + other.user,
          system + other.system,
          read + other.read,
          written + other.written,
          time || other.time,
          devices || other.devices);
    }
  }

  private final Jobs jobs;
  private final MeterRegistry registry;
  private final AtomicLong memory = new AtomicLong();
  private final AtomicLong processes = new AtomicLong();
  private final Set<JobId> fromBefore;
  private Sum ended = Sum.ZERO;
  private Sum told = Sum.ZERO;
  private Map<JobId, Usage> running = new HashMap<>();

  NodeUsage(Jobs jobs, MeterRegistry registry) {
    this.jobs = jobs;
    this.registry = registry;
    fromBefore = jobs.list().stream().map(Job::id).collect(Collectors.toCollection(HashSet::new));
  }

  private void tell() {
    Sum sum = running.values().stream().map(Sum::of).reduce(ended, Sum::plus);
    if (sum.time) {
      more(registry.counter("rollcall.account.cpu.seconds", "mode", "user"), sum.user - told.user);
      more(
          registry.counter("rollcall.account.cpu.seconds", "mode", "system"),
          sum.system - told.system);
    }
    if (sum.devices) {
      more(registry.counter("rollcall.account.io.bytes", "way", "read"), sum.read - told.read);
      more(
          registry.counter("rollcall.account.io.bytes", "way", "written"),
          sum.written - told.written);
    }
    told = sum.most(told);
    memory.set(now(Usage::memoryNow));
    if (counts(Usage::memoryNow)
        && registry.find("rollcall.account.memory.bytes").gauge() == null) {
      registry.gauge("rollcall.account.memory.bytes", memory);
    }
    if (counts(Usage::oomKills)) {
      // Before the first one, which would not be an increase of it.
      var _ = incidents(registry, Incident.Kind.OOM_KILL);
    }
    processes.set(now(Usage::processesNow));
    if (counts(Usage::processesNow)
        && registry.find("rollcall.account.processes").gauge() == null) {
      registry.gauge("rollcall.account.processes", processes);
    }
  }

  static Counter incidents(MeterRegistry registry, Incident.Kind kind) {
    return registry.counter("rollcall.account.incidents", "kind", kind.word());
  }

  private static void more(Counter counter, double amount) {
    if (amount > 0) {
      counter.increment(amount);
    }
  }

  private boolean counts(Function<Usage, OptionalLong> part) {
    return running.values().stream().anyMatch(each -> part.apply(each).isPresent());
  }

  private long now(Function<Usage, OptionalLong> part) {
    return running.values().stream().mapToLong(each -> part.apply(each).orElse(0)).sum();
  }

  /** Looks at the running jobs, and returns what they used. Reads many files: on a worker. */
  Map<JobId, Usage> look() {
    Map<JobId, Usage> found = new HashMap<>();
    for (Job job : jobs.list()) {
      jobs.usage(job.id()).stream()
          .filter(record -> record.kind() == Kind.JOB)
          .forEach(record -> found.put(job.id(), record.usage()));
    }
    synchronized (this) {
      // One that ended meanwhile is in the other sum.
      Set<JobId> here = jobs.list().stream().map(Job::id).collect(Collectors.toSet());
      found.keySet().retainAll(here);
      found.forEach(this::leaveOut);
      running.forEach((job, last) -> keep(job, last, here, found));
      running = found;
      tell();
      return Map.copyOf(found);
    }
  }

  /** Looks at one job again, whose next look may find it gone. Reads files: on a worker. */
  void look(JobId id) {
    for (UsageRecord record : jobs.usage(id)) {
      if (record.kind() == Kind.JOB) {
        synchronized (this) {
          // Of one that ended meanwhile the sum may be taken.
          if (running.containsKey(id) || jobs.list().stream().anyMatch(it -> it.id().equals(id))) {
            leaveOut(id, record.usage());
            running.put(id, record.usage());
          }
        }
      }
    }
  }

  /** Counts a job that went without a last record, as Slurm's do, by its last look. */
  private void keep(JobId job, Usage last, Set<JobId> here, Map<JobId, Usage> found) {
    if (here.contains(job)) {
      found.putIfAbsent(job, last);
    } else {
      ended = ended.plus(Sum.of(last));
    }
  }

  /** Does not count the first usage that is seen of a job from before. */
  private void leaveOut(JobId job, Usage usage) {
    if (fromBefore.remove(job)) {
      told = told.plus(Sum.of(usage));
    }
  }

  /** Whether no running job was seen at the last look. */
  synchronized boolean isNothing() {
    return running.isEmpty();
  }

  /** Takes the last record of a job. */
  synchronized void ended(UsageRecord job) {
    running.remove(job.job());
    leaveOut(job.job(), job.usage());
    ended = ended.plus(Sum.of(job.usage()));
    tell();
  }
}
