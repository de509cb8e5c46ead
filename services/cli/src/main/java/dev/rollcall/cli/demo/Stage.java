package dev.rollcall.cli.demo;

import dev.rollcall.testkit.cluster.ClusterNode;
import dev.rollcall.testkit.cluster.NodeAddress;
import dev.rollcall.testkit.cluster.Running;
import dev.rollcall.testkit.cluster.TestCluster;
import dev.rollcall.testkit.cluster.User;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A cluster that is up, and what scenes do on it. */
public final class Stage {
  static final Duration SSH_DEADLINE = Duration.ofSeconds(30);

  private final TestCluster cluster;
  private final AgentLines agents;
  private final AtomicLong lastJob = new AtomicLong();

  public Stage(TestCluster cluster, AgentLines agents) {
    this.cluster = cluster;
    this.agents = agents;
  }

  public TestCluster cluster() {
    return cluster;
  }

  public AgentLines agents() {
    return agents;
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

  ClusterNode node3() {
    return cluster.node(NodeAddress.NODE3);
  }

  /** Begins jobs of a user on nodes, one after the other. */
  public OpenJobs begin(int count, User owner, ClusterNode... nodes) {
    var ids = new ArrayList<Long>();
    for (int i = 0; i < count; i++) {
      long id = lastJob.incrementAndGet();
      ids.add(id);
      for (ClusterNode node : nodes) {
        agents.begin(node, id, owner);
      }
    }
    return new OpenJobs(agents, ids, List.of(nodes));
  }

  /** Starts a command as a step of a job on a node. */
  public Running startInJob(ClusterNode node, long job, User user, String... argv) {
    return node.startIn(agents.beginStep(node, job), user, argv);
  }

  /** From a job on node1, alice goes to node2 by that name. */
  Visit fromJob(long job, String host) {
    return Visit.of(
        startInJob(node1(), job, User.ALICE, "ssh", host, Visit.TELL).await(SSH_DEADLINE),
        node2()::below);
  }

  /** From the login node, outside any job, to node2. */
  Visit fromLogin(User user) {
    return Visit.of(login().exec(user, "ssh", "node2", Visit.TELL), node2()::below);
  }

  /** Waits until every node's agent can tell callers on every other: all streams stand. */
  public void awaitAttendance() {
    new Attendance(this).await();
  }
}
