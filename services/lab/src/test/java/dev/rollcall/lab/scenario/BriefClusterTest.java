package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.lab.tree.SourceTree;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Result;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The words that the program in C has, through the launcher, at a real agent. */
@Tag("cluster")
@ExtendWith(OnStage.class)
class BriefClusterTest {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final String ROLLCALL = SourceTree.DISTRIBUTION.resolve("bin/rollcall").toString();

  private static final long JOB = 4711;

  /**
   * Runs commands of a user and of root on a node, and returns their exit statuses and output.
   *
   * @param environment words of env(1)
   */
  private static List<String> said(Stage stage, String environment) {
    List<String> said = new ArrayList<>();
    for (User user : List.of(User.ALICE, User.ROOT)) {
      for (String words :
          List.of(
              "job begin 4711 --user alice",
              "job begin 4711 --user bob",
              "whois 127.0.0.1:9 127.0.0.1:10",
              "connect --job 4712 node1 22",
              "job end 4711 --grace 0",
              "job end 4711 --grace 0 --json")) {
        if (user == User.ALICE && words.endsWith("--json")) {
          continue; // of a user's refused calls ten at once are lines of the audit log
        }
        Result ran =
            stage
                .node2()
                .shell(
                    user,
                    "exec env %s JAVA_HOME=%s %s %s"
                        .formatted(environment, System.getProperty("java.home"), ROLLCALL, words));
        said.add(words + ": " + ran.exit() + " " + ran.out() + ran.err());
      }
    }
    return said;
  }

  /** The calls since a line of the log, without what differs from call to call. */
  private static List<String> audited(Stage stage, int from) {
    return lines(stage).stream()
        .skip(from)
        .map(JsonObject::new)
        .filter(line -> line.getString("event").equals("call"))
        // The end of an earlier test's job may be written now.
        .filter(line -> !(line.getValue("job") instanceof Number job) || job.longValue() >= JOB)
        .map(line -> {
          List.of("time", "seq", "pid").forEach(line::remove);
          return line.encode();
        })
        .toList();
  }

  private static List<String> lines(Stage stage) {
    return stage
        .node2()
        .exec(User.ROOT, "cat", stage.node2().disk() + "/audit.jsonl")
        .outOrThrow("the audit log")
        .lines()
        .toList();
  }

  /** The log is written a little later than the answer: until root's second end is there. */
  private static List<String> whole(Stage stage, int from) {
    Eventually.await(
        DEADLINE,
        () ->
            audited(stage, from).stream()
                    .map(JsonObject::new)
                    .filter(line -> line.getInteger("uid") == 0)
                    .filter(line -> line.getString("method").endsWith("JobService/End"))
                    .count()
                == 2,
        () -> "the audit log has " + audited(stage, from));
    return audited(stage, from);
  }

  @Test
  void leaveTheSameWordsAndLinesOfTheAuditLogAsJava(Stage stage) {
    int before = lines(stage).size();
    List<String> java = said(stage, "ROLLCALL_BRIEF=no");
    List<String> first = whole(stage, before);
    int between = lines(stage).size();
    // With flags for a JVM, which tests have, the program in C leaves the words to Java.
    List<String> brief = said(stage, "-u ROLLCALL_CLI_OPTS");
    assertEquals(java, brief);
    assertEquals(first, whole(stage, between));
  }
}
