package dev.rollcall.lab.fault;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.User;

/** The agent's file system, where its journal and its usage file are, without a free byte. */
public final class FullDisk implements InjectedFault {
  private final ClusterNode node;
  private final String file;

  private FullDisk(ClusterNode node) {
    this.node = node;
    this.file = node.disk() + "/full";
  }

  public static FullDisk of(ClusterNode node) {
    var full = new FullDisk(node);
    // dd ends with "no space left"; the last block is then filled byte by byte.
    node.shell(
        User.ROOT,
        "dd if=/dev/zero of=%1$s bs=64k 2>/dev/null; dd if=/dev/zero of=%1$s.more bs=1 count=65536 2>/dev/null; true"
            .formatted(full.file));
    return full;
  }

  @Override
  public void close() {
    node.shell(User.ROOT, "rm -f %1$s %1$s.more".formatted(file))
        .outOrThrow("rm in " + node.name());
  }
}
