package dev.rollcall.lab.adversary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.StepSocketFile;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.scenario.OnStage;
import dev.rollcall.testkit.process.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Cgroups that are called like a job's, made by users where they may. */
@Tag("cluster")
@ExtendWith(OnStage.class)
class ForgedCgroupsClusterTest {
  private static final int TRIES = 20;
  private static final String NODE2 = NodeAddress.NODE2.v4();

  private Path slice = Path.of("unset");
  private Path delegated = Path.of("unset");

  /** As user@2001.service is: hers, in the node's own tree. */
  @BeforeEach
  void delegate(Stage stage) throws IOException {
    stage.awaitConnection();
    ClusterNode node = stage.node1();
    slice = node.cgroup().resolve("user.slice");
    delegated = Files.createDirectories(slice.resolve("user@2001.service"));
    Files.setAttribute(delegated, "unix:uid", User.ALICE.uid());
    for (Path parent :
        new Path[] {delegated, node.cgroup(), node.leaf("exec").resolveSibling("")}) {
      // To move a process one must be able to write where both ends meet, cgroups(7).
      Files.setAttribute(parent.resolve("cgroup.procs"), "unix:uid", User.ALICE.uid());
    }
  }

  @AfterEach
  void remove(Stage stage) throws IOException {
    for (Path parent :
        new Path[] {stage.node1().cgroup(), stage.node1().leaf("exec").resolveSibling("")}) {
      Files.setAttribute(parent.resolve("cgroup.procs"), "unix:uid", 0);
    }
    Eventually.await(Attack.DEADLINE, () -> empties(slice), () -> delegated + " stays");
  }

  private static boolean empties(Path tree) {
    try (Stream<Path> all = Files.walk(tree)) {
      for (Path directory : all.filter(Files::isDirectory).toList().reversed()) {
        Files.delete(directory);
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private Attack callFrom(Stage stage, String name) {
    return Attack.through(
            StepSocketFile.of(delegated.resolve("cgroup.procs")),
            stage.node1(),
            User.ALICE,
            "lookalike.py",
            delegated.toString(),
            name,
            NODE2,
            "22")
        .says("call ");
  }

  /** Unknown is a cgroup that is new while the agent has just looked for others. */
  private String answer(Stage stage, String name) {
    try (var call = callFrom(stage, name)) {
      assertTrue(call.told("in").endsWith(name), call.told("in"));
      return Answers.of(stage, stage.node2(), Answers.connection(call.told("call")));
    }
  }

  @Test
  void aLookAlikeOfAJobBelowADelegatedTreeIsNoJob(Stage stage) {
    try (var bob = Bystander.of(stage);
        var hers = stage.begin(1, User.ALICE, stage.node1())) {
      for (long job : new long[] {bob.jobs().oldest(), hers.oldest()}) {
        String name = "rollcall.scope/job_" + job + "/step_0/user/task_0";
        String answer = answer(stage, name);
        for (int tries = 1; answer.equals("unknown") && tries < TRIES; tries++) {
          answer = answer(stage, name);
        }
        assertEquals("no job of uid 2001", answer);
      }
      bob.noticesNothing();
    }
  }

  /** In a cgroup namespace of her own the path is that of bob's job, from the root on. */
  @Test
  void aForgedPathInACgroupNamespaceIsNoJob(Stage stage) {
    try (var bob = Bystander.of(stage);
        var call =
            new Attack(
                stage
                    .node1()
                    .startIn(
                        StepSocketFile.of(delegated.resolve("cgroup.procs")),
                        User.ALICE,
                        "unshare",
                        "-UrC",
                        "python3",
                        Attack.install(stage.node1(), "lookalike.py"),
                        delegated.toString(),
                        "rollcall.scope/job_" + bob.jobs().oldest() + "/step_0",
                        NODE2,
                        "22"))) {
      call.says("call ");
      assertEquals("0::/rollcall.scope/job_" + bob.jobs().oldest() + "/step_0", call.told("in"));
      assertEquals(
          "no job of uid 2001",
          Answers.of(stage, stage.node2(), Answers.connection(call.told("call"))));
      bob.noticesNothing();
    }
  }

  /** What she owns of her own job's tree is below it, whatever it is called. */
  @Test
  void aJobsCgroupBelowAnotherJobsIsThatOthers(Stage stage) {
    try (var bob = Bystander.of(stage);
        var hers = stage.begin(1, User.ALICE, stage.node1())) {
      StepSocketFile step = stage.agents().beginStep(stage.node1(), hers.oldest());
      Path own =
          step.procs().stream()
              .filter(procs -> procs.startsWith(stage.node1().cgroup()))
              .findFirst()
              .orElseThrow();
      try (var call =
          Attack.through(
              step,
              stage.node1(),
              User.ROOT,
              "lookalike.py",
              own.resolveSibling("").toString(),
              "job_" + bob.jobs().oldest() + "/step_0",
              NODE2,
              "22")) {
        call.says("call ");
        assertEquals(
            "job " + hers.oldest() + " of uid 0",
            Answers.of(stage, stage.node2(), Answers.connection(call.told("call"))));
      }
      bob.noticesNothing();
    }
  }
}
