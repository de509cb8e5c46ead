package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Result;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Debian's OpenMPI and MPICH start a process on each of three nodes, by ssh. */
@Tag("cluster")
@ExtendWith(OnStage.class)
class MpiClusterTest {
  private static final String RANK =
      "sh -c 'echo $(hostname -s) $(grep -o job_[0-9]* /proc/self/cgroup | sort -u)'";

  private static List<String> ranks(Result launched) {
    return launched.outOrThrow("the launcher").lines().sorted().toList();
  }

  private static List<String> onEachNodeIn(long job) {
    return Stream.of("node1", "node2", "node3").map(node -> node + " job_" + job).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mpirun.openmpi --host node1,node2,node3 -np 3",
        "mpiexec.hydra -hosts node1,node2,node3 -n 3"
      })
  void theProcessesAreInTheJobOfTheirLauncher(String launcher, Stage stage) {
    stage.awaitConnection();
    String rollcall = SourceTree.DISTRIBUTION.resolve("bin/rollcall").toString();
    try (var jobs = stage.begin(2, User.ALICE, stage.node1(), stage.node2(), stage.node3())) {
      String step =
          "JAVA_HOME=%s exec %s job run --job %d -- %s %s"
              .formatted(System.getProperty("java.home"), rollcall, jobs.oldest(), launcher, RANK);
      assertEquals(onEachNodeIn(jobs.oldest()), ranks(stage.node1().shell(User.ROOT, step)));
    }
    try (var jobs = stage.begin(1, User.ALICE, stage.node1(), stage.node2(), stage.node3())) {
      Result session =
          stage
              .cluster()
              .node(NodeAddress.LOGIN)
              .exec(User.ALICE, "ssh", "node1", launcher + " " + RANK);
      assertEquals(onEachNodeIn(jobs.oldest()), ranks(session));
    }
  }
}
