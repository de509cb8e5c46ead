package dev.rollcall.lab.demo;

import dev.rollcall.testkit.process.Eventually;

/** Sessions in jobs of a real Slurm on a node with systemd, on cgroup v2. */
final class SlurmNodeScenes {
  private static final String REPORTED = "rollcall_slurm_sessions_reported_total";

  private SlurmNodeScenes() {}

  static Outcome byFiles(SystemdNode node) {
    try (SlurmNodeJob job = SlurmNodeJob.submit(node)) {
      double before = node.metric(REPORTED);
      SlurmNodeSession session = job.session();
      String reported = onceReported(node, before);
      return outcome(job, session, reported);
    }
  }

  /** systemd does not start what an administrator has stopped. */
  static Outcome agentKilled(SystemdNode node) {
    try (SlurmNodeJob job = SlurmNodeJob.submit(node)) {
      SlurmNodeSession session;
      node.root("systemctl kill -s KILL rollcall-agent; systemctl stop rollcall-agent");
      try {
        session = job.session();
      } finally {
        node.restartAgent();
      }
      return outcome(job, session, onceReported(node, 0));
    }
  }

  private static String onceReported(SystemdNode node, double before) {
    return Eventually.holds(SystemdNode.PATIENCE, () -> node.metric(REPORTED) == before + 1)
        ? "reported to"
        : "reported %.0f times to".formatted(node.metric(REPORTED) - before);
  }

  private static Outcome outcome(SlurmNodeJob job, SlurmNodeSession session, String seen) {
    return Outcome.compare(
        "reported to its step daemon, " + SlurmNodeSession.expected(job),
        seen + " its step daemon, " + session.seen(job),
        session.millis());
  }
}
