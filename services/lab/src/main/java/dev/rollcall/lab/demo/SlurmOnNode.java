package dev.rollcall.lab.demo;

/** Has a real Slurm own the jobs of a node, on cgroup v2, until this is closed. */
final class SlurmOnNode implements AutoCloseable {
  private final SystemdNode node;

  private SlurmOnNode(SystemdNode node) {
    this.node = node;
  }

  static SlurmOnNode start(SystemdNode node) {
    node.root("bash /srv/rollcall-vm/slurm.sh");
    node.configure("provider", "slurm");
    return new SlurmOnNode(node);
  }

  @Override
  public void close() {
    node.configure("provider", "native");
    node.root("bash /srv/rollcall-vm/slurm.sh down");
  }
}
