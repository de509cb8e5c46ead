package dev.rollcall.lab.demo;

import dev.rollcall.testkit.process.Eventually;

/** Sessions in jobs of a real Slurm on a node with systemd, on cgroup v2. */
final class SlurmNodeScenes {
  private static final String REPORTED = "rollcall_slurm_sessions_reported_total";

  private static final String ASKED = "rollcall_login_socket_requests_total";

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

  /** The files do not decide between two jobs. Without a caller, the newest is right. */
  static Outcome byAgent(SystemdNode node) {
    try (var _ = SlurmNodeJob.submit(node);
        var newest = SlurmNodeJob.submit(node)) {
      double before = node.metric(ASKED);
      SlurmNodeSession session = newest.session();
      String asked = node.metric(ASKED) > before ? "asked" : "not asked";
      return Outcome.compare(
          "the agent asked, " + SlurmNodeSession.expected(newest),
          "the agent %s, %s".formatted(asked, session.seen(newest)),
          session.millis());
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
