package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.User;
import dev.rollcall.proto.v1.Allocation;
import dev.rollcall.proto.v1.Limits;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The private directories of jobs on a node whose systemd shares its mounts, as most nodes do. */
final class ContainerNodeScene {
  private static final String READ = "cat /tmp/scene /dev/shm/scene 2>/dev/null; true";

  /** There before the jobs are, and mounted after: as where autofs(8) mounts. */
  private static final String LATER = "/srv/rollcall-scene";

  private static final List<String> KINDS =
      Stream.of("pid", "ipc", "uts", "cgroup").map(kind -> "/proc/self/ns/" + kind).toList();

  private static final String MORE =
      """
      cat >/etc/rollcall/namespace.yaml <<EOF
      defaults:
        base_path: /var/lib/jobs
        clone_ns_flags: [CLONE_NEWPID, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP]
      EOF
      sed -i s,job_container.conf,namespace.yaml, /etc/rollcall/agent.yaml
      """;

  private static final String LESS =
      "sed -i s,namespace.yaml,job_container.conf, /etc/rollcall/agent.yaml";

  private ContainerNodeScene() {}

  static Outcome play(SystemdNode node) {
    node.root("mkdir -p " + LATER);
    try (NodeJob bobs = node.begin(User.BOB)) {
      NodeJob alices = node.begin(User.ALICE);
      try (alices) {
        String seen = seen(node, alices, bobs);
        node.root(MORE);
        long start = System.nanoTime();
        node.restartAgent();
        long millis = (System.nanoTime() - start) / 1_000_000;
        String after = said(alices, READ);
        alices.end();
        String more = more(node);
        return Outcome.compare(
            "alice 'tmp shm', bob '', the node '', root in the base path 'tmp'; /tmp nosuid,nodev;"
                + " /dev/shm nosuid,nodev; the node 1 pin, 0 other mounts; mounted later 'later';"
                + " after a restart 'tmp shm'; then 0 mounts, no directory; a job with more:"
                + " namespaces [own, own, own, own], process 1 'rollcall', in cgroup"
                + " '/step_extern/user', limited to '64' processes",
            seen
                + "; after a restart '%s'; then %s mounts, %s directory"
                    .formatted(after, pins(node, alices), left(node, alices))
                + more,
            millis);
      }
    } finally {
      node.root("rmdir " + LATER + "; " + LESS);
      node.restartAgent();
    }
  }

  /** A job that begins when the site's file wants more: here controllers are passed on below it. */
  private static String more(SystemdNode node) {
    var limits = Allocation.newBuilder().setLimits(Limits.newBuilder().setPidsMax(64));
    try (NodeJob job = node.begin(User.ALICE, limits.build())) {
      String own = "readlink " + String.join(" ", KINDS);
      List<String> outside = node.root(own).lines().toList();
      List<String> inside = job.visit(own).out().lines().toList();
      List<String> seen = new ArrayList<>();
      for (int kind = 0; kind < Math.min(inside.size(), outside.size()); kind++) {
        seen.add(inside.get(kind).equals(outside.get(kind)) ? "the node's" : "own");
      }
      return "; a job with more: namespaces %s, process 1 '%s', in cgroup '%s', limited to '%s' processes"
          .formatted(
              seen,
              said(job, "cut -d: -f1 /proc/1/comm"),
              said(job, "sed -n 's,^0::\\(.*\\)/session_.*,\\1,p' /proc/self/cgroup"),
              said(job, "cat /sys/fs/cgroup/pids.max"));
    }
  }

  private static String seen(SystemdNode node, NodeJob alices, NodeJob bobs) {
    said(alices, "echo tmp > /tmp/scene; echo shm > /dev/shm/scene");
    return "alice '%s', bob '%s', the node '%s', root in the base path '%s'"
            .formatted(
                said(alices, READ),
                said(bobs, READ),
                line(node.outside(User.ROOT, READ)),
                node.root("cat /var/lib/jobs/%d/_tmp/scene".formatted(alices.id())))
        + "; /tmp %s; /dev/shm %s; the node %s pin, %s other mounts; mounted later '%s'"
            .formatted(
                flags(alices, "/tmp"),
                flags(alices, "/dev/shm"),
                pins(node, alices),
                node.outside(User.ROOT, "grep -c /var/lib/jobs /proc/1/mountinfo").out().strip(),
                mountedLater(node, alices));
  }

  /** Those that are asked for, of the mount that is on top. */
  private static String flags(NodeJob job, String directory) {
    String all = said(job, "findmnt -rn -o OPTIONS --mountpoint " + directory + " | tail -n 1");
    return Arrays.asList(all.split(",", -1)).containsAll(List.of("nosuid", "nodev"))
        ? "nosuid,nodev"
        : "'" + all + "'";
  }

  /** How many mounts of the node keep the job's namespace. */
  private static String pins(SystemdNode node, NodeJob job) {
    String pin = "/run/rollcall/containers/" + job.id() + "/mnt ";
    return node.outside(User.ROOT, "grep -c '" + pin + "' /proc/1/mountinfo").out().strip();
  }

  private static String mountedLater(SystemdNode node, NodeJob job) {
    node.root("mount -t tmpfs scene " + LATER + " && echo later > " + LATER + "/file");
    try {
      return said(job, "cat " + LATER + "/file");
    } finally {
      node.root("umount " + LATER);
    }
  }

  private static String left(SystemdNode node, NodeJob job) {
    String gone = "test ! -e /var/lib/jobs/" + job.id();
    return Eventually.holds(SystemdNode.PATIENCE, () -> node.outside(User.ROOT, gone).ok())
        ? "no"
        : "still a";
  }

  private static String said(NodeJob job, String command) {
    return line(job.visit(command));
  }

  private static String line(Result result) {
    return (result.ok() ? result.out() : "failed: " + result.err()).strip().replace("\n", " ");
  }
}
