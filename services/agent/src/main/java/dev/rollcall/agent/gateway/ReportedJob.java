package dev.rollcall.agent.gateway;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.proto.roll.v1.ConnectRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Holds the data of one job that the gateway has, and the time of the next check. */
final class ReportedJob {
  static final Duration SOONEST = Duration.ofMillis(250);

  /** A session starts its shell, and a step its program, a moment after they enter the job. */
  static final Duration AFTER_PROMPT = Duration.ofMillis(500);

  static final Duration CHANGING = Duration.ofSeconds(10);
  static final Duration QUIET = Duration.ofSeconds(60);

  private Map<ProcessRef, StepId> processes = new HashMap<>();
  private @Nullable Job job;
  private Duration interval = CHANGING;
  private long readNanos;
  private long nextNanos;
  private boolean promptedSinceLook;
  private boolean cut;

  ReportedJob(long nowNanos) {
    nextNanos = nowNanos;
    readNanos = nowNanos - SOONEST.toNanos();
  }

  long nextNanos() {
    return nextNanos;
  }

  boolean told() {
    return job != null;
  }

  /** The job changed: report it after the minimum interval. */
  void prompt(long nowNanos) {
    promptedSinceLook = true;
    interval = AFTER_PROMPT;
    long soon = Math.max(nowNanos, readNanos + SOONEST.toNanos());
    if (soon - nextNanos < 0) {
      nextNanos = soon;
    }
  }

  /** A look at the job begins: it may miss what happens from now on. */
  void look() {
    promptedSinceLook = false;
  }

  /** Whether something happened to the job since the last look began. */
  boolean promptedSinceLook() {
    return promptedSinceLook;
  }

  /** Looking failed, or found no job: later again. */
  void failed(long nowNanos) {
    readNanos = nowNanos;
    nextAfter(CHANGING);
  }

  /** How many of its processes are kept here. */
  int kept() {
    return processes.size();
  }

  /** Notes whether the job has more processes than are reported; true when that is new. */
  boolean nowCut(boolean is) {
    boolean isNew = is && !cut;
    cut = is;
    return isNew;
  }

  /** The messages to send after a look; none if nothing changed. */
  List<ConnectRequest> read(
      NodeSelf self, Job now, List<JobProcess> found, Instant at, long nowNanos) {
    Map<ProcessRef, StepId> members = new HashMap<>();
    found.forEach(process -> members.put(process.process(), process.step()));
    List<ConnectRequest> messages =
        job == null
            ? EventMessages.whole(self, now, found, at)
            : changes(self, now, found, members, at);
    job = now;
    processes = members;
    readNanos = nowNanos;
    nextAfter(rest(messages.isEmpty()));
    return messages;
  }

  /** Short after a prompt, then longer each time; not so long while the job changes. */
  private Duration rest(boolean unchanged) {
    boolean settling = interval.compareTo(CHANGING) < 0;
    Duration rest = settling || unchanged ? interval : CHANGING;
    interval = min(rest.multipliedBy(2), QUIET);
    return rest;
  }

  /** All quiet jobs of an agent are read in the same moment of a minute: it wakes up once. */
  private void nextAfter(Duration rest) {
    nextNanos = readNanos + (promptedSinceLook ? SOONEST : rest).toNanos();
    if (!promptedSinceLook && rest.equals(QUIET)) {
      nextNanos -= Math.floorMod(nextNanos, QUIET.toNanos());
    }
  }

  private List<ConnectRequest> changes(
      NodeSelf self, Job now, List<JobProcess> found, Map<ProcessRef, StepId> members, Instant at) {
    List<JobProcess> came =
        found.stream()
            .filter(process -> !process.step().equals(processes.get(process.process())))
            .toList();
    List<ProcessRef> gone = new ArrayList<>(processes.keySet());
    gone.removeAll(members.keySet());
    if (came.isEmpty() && gone.isEmpty() && now.equals(job)) {
      return List.of();
    }
    // If a change is too large for a message, the whole job is sent.
    return came.size() + gone.size() > EventMessages.MOST_PROCESSES_IN_A_CHANGE
        ? EventMessages.whole(self, now, found, at)
        : List.of(EventMessages.delta(self, now, came, gone, at));
  }

  private static Duration min(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
