package dev.rollcall.agent.login.adopt;

import static java.util.function.Predicate.not;

import dev.rollcall.model.ProcessRef;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.function.Predicate;

/** Counts the sessions in jobs whose process still runs, when it is asked. Thread-safe. */
public final class OpenSessions {
  /** The oldest go: as a rule they have ended, and nobody has asked for long. */
  static final int MOST = 8_192;

  private final SequencedSet<ProcessRef> sessions = new LinkedHashSet<>();
  private final Predicate<ProcessRef> runs;

  /**
   * @param runs whether a process runs and is in a job; reads /proc
   */
  public OpenSessions(Predicate<ProcessRef> runs, MeterRegistry registry) {
    this.runs = runs;
    registry.gauge("rollcall.sessions", this, OpenSessions::count);
  }

  /** Takes no time of logins: /proc is read when somebody asks. */
  public synchronized void add(ProcessRef process) {
    if (sessions.add(process) && sessions.size() > MOST) {
      sessions.removeFirst();
    }
  }

  synchronized int kept() {
    return sessions.size();
  }

  private int count() {
    List<ProcessRef> ended = all().stream().filter(not(runs)).toList();
    synchronized (this) {
      ended.forEach(sessions::remove);
      return sessions.size();
    }
  }

  private synchronized List<ProcessRef> all() {
    return List.copyOf(sessions);
  }
}
