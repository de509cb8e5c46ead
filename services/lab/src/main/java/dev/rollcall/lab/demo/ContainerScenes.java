package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import java.time.Duration;

/** The private directories of jobs, as their steps and sessions see them. */
final class ContainerScenes {
  private static final Duration TO_REMOVE = Duration.ofSeconds(20);
  private static final String READ = "cat /tmp/scene /dev/shm/scene 2>/dev/null; true";

  private ContainerScenes() {}

  private static String write(String word) {
    return "echo tmp-%1$s > /tmp/scene && echo shm-%1$s > /dev/shm/scene".formatted(word);
  }

  /** What a command says in a session that comes from the login node. */
  private static String session(Stage stage, User user, String command) {
    Result ssh = stage.login().exec(user, "ssh", "node2", command);
    return ssh.ok() ? ssh.out().strip().replace("\n", " ") : "refused: " + ssh.err().strip();
  }

  private static String step(Stage stage, long job, User user, String command) {
    return stage
        .startInJob(stage.node2(), job, user, "sh", "-c", command)
        .await(Stage.SSH_DEADLINE)
        .outOrThrow("a step of job " + job)
        .strip()
        .replace("\n", " ");
  }

  private static String outside(ClusterNode node, String script) {
    return node.shell(User.ROOT, script).out().strip().replace("\n", " ");
  }

  static Outcome isPrivate(Stage stage) {
    ClusterNode node2 = stage.node2();
    try (var alices = stage.begin(1, User.ALICE, node2);
        var _ = stage.begin(1, User.BOB, node2)) {
      long start = System.nanoTime();
      session(stage, User.ALICE, write("alice"));
      String bobSees = session(stage, User.BOB, READ);
      session(stage, User.BOB, write("bob"));
      String aliceSees = session(stage, User.ALICE, READ);
      String nodeSees = outside(node2, READ);
      String rootSees =
          outside(node2, "cat /run/jobs/node2/%d/_tmp/scene".formatted(alices.newest()));
      return Outcome.compare(
          "bob sees '', alice 'tmp-alice shm-alice', the node '', root in the base path"
              + " 'tmp-alice'",
          "bob sees '%s', alice '%s', the node '%s', root in the base path '%s'"
              .formatted(bobSees, aliceSees, nodeSees, rootSees),
          (System.nanoTime() - start) / 1_000_000);
    }
  }

  static Outcome isShared(Stage stage) {
    try (var jobs = stage.begin(2, User.ALICE, stage.node2())) {
      step(stage, jobs.newest(), User.ALICE, write("step"));
      long start = System.nanoTime();
      String session = session(stage, User.ALICE, READ);
      long millis = (System.nanoTime() - start) / 1_000_000;
      session(stage, User.ALICE, write("session"));
      return Outcome.compare(
          "the session sees 'tmp-step shm-step', a step then 'tmp-session shm-session',"
              + " alice's other job ''",
          "the session sees '%s', a step then '%s', alice's other job '%s'"
              .formatted(
                  session,
                  step(stage, jobs.newest(), User.ALICE, READ),
                  step(stage, jobs.oldest(), User.ALICE, READ)),
          millis);
    }
  }

  static Outcome goes(Stage stage) {
    ClusterNode node2 = stage.node2();
    String mounts = "grep -c /run/rollcall/containers/ /proc/self/mountinfo";
    long start;
    String during;
    try (var jobs = stage.begin(1, User.ALICE, node2)) {
      session(stage, User.ALICE, write("left") + "; mkdir -p /tmp/a/b/c; touch /tmp/a/b/c/d");
      during = outside(node2, "ls /run/jobs/node2; " + mounts);
      during = during.equals(jobs.newest() + " 1") ? "there" : "'" + during + "'";
      start = System.nanoTime();
    }
    long millis = (System.nanoTime() - start) / 1_000_000;
    String after = outside(node2, mounts);
    boolean gone =
        Eventually.holds(TO_REMOVE, () -> outside(node2, "ls -A /run/jobs/node2").isEmpty());
    return Outcome.compare(
        "there with its job; then 0 mounts, no directory",
        "%s with its job; then %s mounts, %s directory"
            .formatted(during, after, gone ? "no" : "still a"),
        millis);
  }

  static Outcome survives(Stage stage) {
    var agent = stage.cluster().agent(NodeAddress.NODE2);
    try (var _ = stage.begin(1, User.ALICE, stage.node2())) {
      session(stage, User.ALICE, write("kept"));
      long start = System.nanoTime();
      agent.kill();
      agent.start();
      agent.awaitReady();
      long millis = (System.nanoTime() - start) / 1_000_000;
      stage.awaitConnection();
      return Outcome.compare(
          "the next session sees 'tmp-kept shm-kept'",
          "the next session sees '%s'".formatted(session(stage, User.ALICE, READ)),
          millis);
    }
  }
}
