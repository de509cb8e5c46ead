package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.User;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Rollcall owns the jobs' cgroups; root begins and ends jobs on each node's agent. */
final class OwnJobs implements StageJobs {
  private static final Pattern IN_JOB =
      Pattern.compile("rollcall\\.scope/job_(\\d+)/step_extern/user/session_\\d+");

  private final AgentLines agents;
  private final AtomicLong last = new AtomicLong();

  OwnJobs(AgentLines agents) {
    this.agents = agents;
  }

  @Override
  public List<Long> begin(int count, User owner, List<ClusterNode> nodes) {
    return Stream.generate(() -> begin(owner, nodes)).limit(count).toList();
  }

  private long begin(User owner, List<ClusterNode> nodes) {
    long id = last.incrementAndGet();
    nodes.forEach(node -> agents.begin(node, id, owner));
    return id;
  }

  @Override
  public void end(List<Long> jobs, List<ClusterNode> nodes) {
    for (ClusterNode node : nodes) {
      jobs.forEach(job -> agents.end(node, job));
    }
  }

  @Override
  public void suspend(long job, List<ClusterNode> nodes) {
    nodes.forEach(node -> agents.suspend(node, job));
  }

  @Override
  public void resume(long job, List<ClusterNode> nodes) {
    nodes.forEach(node -> agents.resume(node, job));
  }

  @Override
  public InJob start(ClusterNode node, long job, User user, String... argv) {
    return InJob.of(node.startIn(agents.beginStep(node, job), user, argv));
  }

  @Override
  public OptionalLong adopter(ClusterNode node, String procCgroup) {
    Matcher job = IN_JOB.matcher(node.below(procCgroup));
    return job.matches() ? OptionalLong.of(Long.parseLong(job.group(1))) : OptionalLong.empty();
  }
}
