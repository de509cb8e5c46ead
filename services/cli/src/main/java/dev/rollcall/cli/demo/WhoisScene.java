package dev.rollcall.cli.demo;

import dev.rollcall.proto.v1.CallerAnswer;
import dev.rollcall.testkit.cluster.NodeAddress;
import dev.rollcall.testkit.cluster.User;

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
        long start = System.nanoTime();
        CallerAnswer answer = stage.agents().identify(stage.login(), call.connection());
        long millis = (System.nanoTime() - start) / 1_000_000;
        String expected =
            "job %d, step 0, node1, uid 2001, pid %d".formatted(jobs.oldest(), shell.pid());
        return Outcome.compare(expected, words(answer), millis);
      }
    }
  }

  private static String words(CallerAnswer answer) {
    return switch (answer.getAnswerCase()) {
      case FOUND -> {
        var caller = answer.getFound();
        yield "job %d, step %s, %s, uid %d, pid %d"
            .formatted(
                caller.getJob().getJobId(),
                caller.getJob().getStep(),
                caller.getNode(),
                caller.getUid(),
                caller.getProcess().getPid());
      }
      case UNKNOWN -> "unknown: " + answer.getUnknown().getReason();
      case UNREACHABLE -> "unreachable: " + answer.getUnreachable().getReason();
      case ANSWER_NOT_SET -> "no answer";
    };
  }
}
