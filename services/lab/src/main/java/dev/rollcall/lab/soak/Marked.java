package dev.rollcall.lab.soak;

import dev.rollcall.lab.cluster.NodeAddress;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process that a session of the soak left running under a name that says which job it is in. The
 * name is the process's own word, at the moment when it was let in: what Rollcall does afterwards
 * cannot change it.
 *
 * @param cgroup its path below the node's part of the tree
 */
record Marked(long pid, String node, long job, String cgroup) {
  static final String NAME = "rollcall-soak-job-";

  private static final Pattern NAMED = Pattern.compile(NAME + "(\\d+)\0.*", Pattern.DOTALL);
  private static final Pattern CGROUP =
      Pattern.compile("(?m)^0::/.*?rollcall-[0-9a-f]{8}/([a-z0-9]+)/(.*)$");
  private static final Pattern IN_JOB = Pattern.compile("rollcall\\.scope/job_(\\d+)/.*");

  /** From /proc/PID/cmdline and /proc/PID/cgroup; empty if it is not one. */
  static Optional<Marked> of(long pid, String cmdline, String cgroup) {
    Matcher name = NAMED.matcher(cmdline);
    Matcher where = CGROUP.matcher(cgroup);
    return name.matches() && where.find()
        ? Optional.of(
            new Marked(pid, where.group(1), Long.parseLong(name.group(1)), where.group(2)))
        : Optional.empty();
  }

  private boolean isInItsJob() {
    Matcher in = IN_JOB.matcher(cgroup);
    return in.matches() && Long.parseLong(in.group(1)) == job;
  }

  /**
   * What is wrong with it, if anything.
   *
   * @param now milliseconds of the soak, before the process was looked at
   */
  Optional<Violation> violation(JobBook book, long now) {
    String about = "process %d on %s".formatted(pid, node);
    if (!isInItsJob()) {
      return Optional.of(new Violation("escaped", now, about, "in job " + job, "in " + cgroup));
    }
    boolean outlives = book.endedBefore(address(), now).contains(job);
    return outlives
        ? Optional.of(
            new Violation("outlives", now, about, "gone with job " + job, "alive in " + cgroup))
        : Optional.empty();
  }

  private NodeAddress address() {
    return NodeAddress.node(Integer.parseInt(node.substring("node".length())));
  }
}
