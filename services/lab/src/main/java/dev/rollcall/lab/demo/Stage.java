package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.slurm.SlurmCommandJobs;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Result;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** A cluster that is up, and what scenes do on it. */
public final class Stage {
  static final Duration SSH_DEADLINE = Patience.ofSeconds(30);

  private final TestCluster cluster;
  private final AgentLines agents;
  private final StageJobs jobs;

  private Stage(TestCluster cluster, AgentLines agents, StageJobs jobs) {
    this.cluster = cluster;
    this.agents = agents;
    this.jobs = jobs;
  }

  /** Where the agents own the jobs. */
  public static Stage of(TestCluster cluster, AgentLines agents) {
    return new Stage(cluster, agents, new OwnJobs(agents));
  }

  /** Where Slurm owns them. */
  public static Stage withSlurm(TestCluster cluster, AgentLines agents, SlurmCommandJobs slurm) {
    return new Stage(cluster, agents, new BatchJobs(slurm));
  }

  public TestCluster cluster() {
    return cluster;
  }

  public AgentLines agents() {
    return agents;
  }

  StageJobs jobs() {
    return jobs;
  }

  ClusterNode login() {
    return cluster.node(NodeAddress.LOGIN);
  }

  public ClusterNode node1() {
    return cluster.node(NodeAddress.NODE1);
  }

  public ClusterNode node2() {
    return cluster.node(NodeAddress.NODE2);
  }

  public ClusterNode node3() {
    return cluster.node(NodeAddress.NODE3);
  }

  /** Begins jobs of a user on nodes, one after the other. */
  public OpenJobs begin(int count, User owner, ClusterNode... nodes) {
    List<ClusterNode> on = List.of(nodes);
    return new OpenJobs(jobs, jobs.begin(count, owner, on), on);
  }

  /** Starts a command as a step of a job on a node. */
  public InJob startInJob(ClusterNode node, long job, User user, String... argv) {
    return jobs.start(node, job, user, argv);
  }

  /** From a job on node1, alice goes to node2 by that name. */
  Visit fromJob(long job, String host) {
    return visit(
        node2(), startInJob(node1(), job, User.ALICE, "ssh", host, Visit.TELL).await(SSH_DEADLINE));
  }

  /** From the login node, outside any job, to node2. */
  Visit fromLogin(User user) {
    return visit(node2(), login().exec(user, "ssh", "node2", Visit.TELL));
  }

  /** What a session on a node told. */
  Visit visit(ClusterNode node, Result ssh) {
    return Visit.of(ssh, text -> place(node, text));
  }

  /** "job 7", or the cgroup that is no job's. */
  String place(ClusterNode node, String procCgroup) {
    OptionalLong job = jobs.adopter(node, procCgroup);
    return job.isPresent()
        ? "job " + job.getAsLong()
        : "in no job, but in '" + node.below(procCgroup) + "'";
  }

  /** Waits until every node's agent can tell callers on every other: all streams stand. */
  public void awaitConnection() {
    new NodesConnected(this).await();
  }
}
