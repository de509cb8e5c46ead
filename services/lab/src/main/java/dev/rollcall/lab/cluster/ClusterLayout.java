package dev.rollcall.lab.cluster;

import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/** The folders of one cluster: everything that it makes is below these two, or in namespaces. */
record ClusterLayout(String id, ClusterShape shape, Path files, CgroupTree tree) {
  static ClusterLayout fresh(ClusterShape shape) {
    String id = "%08x".formatted(ThreadLocalRandom.current().nextInt());
    return new ClusterLayout(
        id,
        shape,
        Path.of("/tmp/rollcall-cluster-" + id),
        new CgroupTree(CgroupTree.mount().resolve("rollcall-" + id)));
  }

  Path etc() {
    return files.resolve("etc");
  }

  Path of(NodeAddress node, String... names) {
    return Path.of(files.resolve(node.name()).toString(), names);
  }

  Path log(NodeAddress node, String name) {
    return of(node, "log", name);
  }

  /** A file system of the node's own, which node.sh mounts. */
  Path disk(NodeAddress node) {
    return of(node, "disk");
  }

  Path tls(NodeAddress node, String name) {
    return of(node, "tls", name);
  }

  Path script(String name) {
    return files.resolve(name);
  }

  Path cgroup(NodeAddress node) {
    return tree.root().resolve(node.name());
  }

  Path procs(NodeAddress node, String leaf) {
    return tree.leaf(node.name(), leaf);
  }
}
