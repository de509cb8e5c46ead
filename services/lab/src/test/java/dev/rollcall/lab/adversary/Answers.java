package dev.rollcall.lab.adversary;

import dev.rollcall.lab.cluster.ClusterNode;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.proto.v1.CallerAnswer;
import java.util.List;

/** What the agents say about a connection, in words that a test can compare. */
public final class Answers {
  private Answers() {}

  /** "job 7 of uid 2001", "no job of uid 2001" or "unknown". */
  public static String of(Stage stage, ClusterNode asked, Connection connection) {
    CallerAnswer answer = stage.agents().identify(asked, connection);
    return switch (answer.getAnswerCase()) {
      case FOUND ->
          (answer.getFound().hasJob() ? "job " + answer.getFound().getJob().getJobId() : "no job")
              + " of uid "
              + answer.getFound().getUid();
      case UNKNOWN -> "unknown";
      case UNREACHABLE -> "unreachable: " + answer.getUnreachable().getReason();
      case ANSWER_NOT_SET -> "nothing";
    };
  }

  /** As scripts tell it: four words, of the local end and the remote. */
  public static Connection connection(String told) {
    List<String> words = List.of(told.strip().split(" ", -1));
    return Connection.tcp(
        endpoint(words.get(0), words.get(1)), endpoint(words.get(2), words.get(3)));
  }

  private static Endpoint endpoint(String address, String port) {
    return Endpoint.parse((address.contains(":") ? "[" + address + "]" : address) + ":" + port);
  }
}
