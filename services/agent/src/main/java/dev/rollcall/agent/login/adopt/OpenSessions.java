package dev.rollcall.agent.login.adopt;

import static java.util.function.Predicate.not;

import dev.rollcall.model.ProcessRef;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Counts the sessions in jobs whose process still runs, when it is asked. Thread-safe. */
public final class OpenSessions {
  private static final int FEW = 1_024;

  private final Set<ProcessRef> sessions = ConcurrentHashMap.newKeySet();
  private final Predicate<ProcessRef> runs;
  private volatile int room = FEW;

  /**
   * @param runs whether a process runs and is in a job; reads /proc
   */
  public OpenSessions(Predicate<ProcessRef> runs, MeterRegistry registry) {
    this.runs = runs;
    registry.gauge("rollcall.sessions", this, OpenSessions::count);
  }

  public void add(ProcessRef process) {
    sessions.add(process);
    if (sessions.size() >= room) {
      room = Math.max(FEW, 2 * count());
    }
  }

  int kept() {
    return sessions.size();
  }

  private int count() {
    sessions.removeIf(not(runs));
    return sessions.size();
  }
}
