package dev.rollcall.lab.fault;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.Daemon;
import dev.rollcall.lab.cluster.TestCluster;
import dev.rollcall.lab.cluster.User;
import java.util.UUID;

/**
 * A node that goes down without a word and comes back with a new boot id: its agent, its jobs and
 * its sessions are killed, its cgroups and what it had in the kernel go. Closing is its return.
 */
public final class Reboot implements InjectedFault {
  private static final String FORGET =
      "for on in $(awk '$2 ~ \"^/run/(rollcall|jobs)\" { print $2 }' /proc/self/mounts | sort -r);"
          + " do umount -l \"$on\"; done; rm -rf /run/rollcall /run/jobs /sys/fs/bpf/rollcall";

  private final ClusterNode node;
  private final Daemon agent;
  private boolean over;

  private Reboot(ClusterNode node, Daemon agent) {
    this.node = node;
    this.agent = agent;
  }

  /** The node is down when this returns, but for its sshd, which a boot would start again. */
  public static Reboot of(TestCluster cluster, ClusterNode node) {
    Daemon agent = cluster.agent(node.address());
    agent.kill();
    node.killJobs();
    // What /run and the kernel held is gone with the boot; what is on the disk stays.
    node.shell(User.ROOT, FORGET).outOrThrow("what " + node.name() + " had in /run");
    // In place: the file lies over the kernel's own.
    node.shell(User.ROOT, "echo %s > %s/boot_id".formatted(UUID.randomUUID(), node.disk()))
        .outOrThrow("a boot id for " + node.name());
    return new Reboot(node, agent);
  }

  @Override
  public void close() {
    if (!over) {
      over = true;
      agent.start();
      agent.awaitReady();
    }
  }

  @Override
  public String toString() {
    return "reboot of " + node.name();
  }
}
