package dev.rollcall.lab.demo;

import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.model.Connection;
import dev.rollcall.testkit.process.Result;
import io.vertx.core.json.JsonObject;

/** Who opened a connection to a port that nobody announces. */
final class WhoisScene {
  /** The gateway's own port serves as the one that is not ssh's. */
  private static final int PORT = 7450;

  private WhoisScene() {}

  static Outcome play(Stage stage) {
    var node1 = stage.node1();
    try (var jobs = stage.begin(1, User.ALICE, node1)) {
      var shell =
          stage.startInJob(
              node1, jobs.oldest(), User.ALICE, PlainCall.command(NodeAddress.GATE, PORT));
      try (var call = PlainCall.of(node1, shell, NodeAddress.GATE, PORT)) {
        Result answer = stage.cluster().asAdministrator(question(call.connection()));
        String expected =
            "job %d, step 0, node1, uid 2001, pid %d".formatted(jobs.oldest(), shell.pid());
        return Outcome.compare(expected, words(answer), answer.millis());
      }
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
    return "job %d, step %s, %s, uid %d, pid %d"
        .formatted(
            caller.getLong("job"),
            caller.getString("step"),
            caller.getString("node"),
            caller.getInteger("uid"),
            caller.getInteger("pid"));
  }
}
