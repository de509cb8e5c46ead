package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.model.Connection;
import dev.rollcall.testkit.process.Result;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Who opened a connection to a port that nobody announces. */
final class WhoisScene {
  /** The gateway's own port serves as the one that is not ssh's. */
  private static final int PORT = 7450;

  /** The first pid namespace: PROC_PID_INIT_INO (include/linux/proc_ns.h). */
  private static final String FIRST = "pid:[4026531836]";

  private static final String FOREIGN = "of another pid namespace";

  private WhoisScene() {}

  static Outcome play(Stage stage) {
    var node1 = stage.node1();
    try (var jobs = stage.begin(1, User.ALICE, node1)) {
      return ask(stage, jobs, 1);
    }
  }

  /** Asks the first gateway about a connection of a job on node1 to it, until it answers. */
  static Outcome ask(Stage stage, OpenJobs jobs, int tries) {
    var node1 = stage.node1();
    var shell =
        stage.startInJob(
            node1, jobs.oldest(), User.ALICE, PlainCall.command(NodeAddress.GATE, PORT));
    try (var call = PlainCall.of(node1, shell, NodeAddress.GATE, PORT)) {
      Result answer = stage.cluster().asAdministrator(question(call.connection()));
      for (int asked = 1; asked < tries && !answer.ok(); asked++) {
        answer = stage.cluster().asAdministrator(question(call.connection()));
      }
      String expected =
          "job %d, step 0, node1, uid 2001, pid %s"
              .formatted(jobs.oldest(), ofKernel() ? shell.pid() : FOREIGN);
      return Outcome.compare(expected, words(answer), answer.millis());
    }
  }

  private static String[] question(Connection call) {
    return new String[] {"whois", "--json", call.local().toString(), call.remote().toString()};
  }

  private static String words(Result answer) {
    if (!answer.ok()) {
      return answer.err().strip();
    }
    var caller = new JsonObject(answer.out());
    return "job %d, step %s, %s, uid %d, pid %s"
        .formatted(
            caller.getLong("job"),
            caller.getString("step"),
            caller.getString("node"),
            caller.getInteger("uid"),
            ofKernel() ? caller.getInteger("pid") : FOREIGN);
  }

  /**
   * Whether the kernel numbers processes as they are numbered here: in a container they have other
   * numbers (docs/adr/0012).
   */
  private static boolean ofKernel() {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString().equals(FIRST);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
