package dev.rollcall.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.rollcall.lab.cluster.Daemon;
import dev.rollcall.lab.cluster.NodeAddress;
import dev.rollcall.lab.cluster.User;
import dev.rollcall.lab.demo.Stage;
import dev.rollcall.testkit.count.Counts;
import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Running;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An agent that is killed again and again, also while it starts, as its user logs in. */
@Tag("cluster")
@ExtendWith(OnStage.class)
class KilledUnderLoginsClusterTest {
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  /** Longer than an agent's start, so that some kills come in its middle and some after it. */
  private static final int LONGEST_LIFE_MS = 4_000;

  @Test
  void everyLoginIsLetInAndRecordedOnce(Stage stage) throws InterruptedException {
    int kills = Counts.of("kills of an agent under logins", 4, 200);
    long seed = System.nanoTime();
    System.out.println("kills under logins, seed " + seed);
    List<String> logins;
    long job;
    try (var jobs = stage.begin(1, User.ALICE, stage.node2())) {
      job = jobs.newest();
      logins = loginsWhile(stage, () -> kill(stage, kills, new Random(seed)));
      System.out.println(logins.size() + " logins");
      areAudited(stage, job, logins);
    }
    Eventually.await(
        DEADLINE,
        () -> accounted(stage, job).size() == logins.size(),
        () -> "accounts of sessions: " + accounted(stage, job));
    assertEquals(logins.size(), accounted(stage, job).stream().distinct().count(), "accounts");
  }

  private static void areAudited(Stage stage, long job, List<String> logins) {
    Map<String, Long> once =
        logins.stream().collect(Collectors.toMap(id -> id, _ -> 1L, Long::sum, TreeMap::new));
    Eventually.await(
        DEADLINE,
        () -> audited(stage, job).keySet().containsAll(once.keySet()),
        () -> "lines of the audit log are missing: " + audited(stage, job));
    assertEquals(once, audited(stage, job));
  }

  /** The names of the logins meanwhile, one after the other. */
  private static List<String> loginsWhile(Stage stage, Work work) throws InterruptedException {
    var from = stage.cluster().node(NodeAddress.LOGIN);
    Path told = stage.cluster().directory().resolve("logins-are-over");
    String untilTold =
        "until test -e %s; do ssh node2 'echo login $ROLLCALL_ADOPTION' || echo refused; done; echo over"
            .formatted(told);
    Running logins = from.start(User.ALICE, "sh", "-c", untilTold);
    try {
      work.run();
    } finally {
      from.exec(User.ROOT, "touch", told.toString()).outOrThrow("touch");
    }
    var result = logins.await(DEADLINE);
    from.exec(User.ROOT, "rm", told.toString()).outOrThrow("rm");
    List<String> lines = result.out().lines().toList();
    assertFalse(lines.contains("refused"), () -> result.err() + stage.cluster().logs());
    return lines.stream()
        .filter(line -> line.startsWith("login "))
        .map(line -> line.substring("login ".length()))
        .toList();
  }

  private interface Work {
    void run() throws InterruptedException;
  }

  private static void kill(Stage stage, int times, Random random) throws InterruptedException {
    Daemon agent = stage.cluster().agent(NodeAddress.NODE2);
    for (int i = 0; i < times; i++) {
      TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_LIFE_MS));
      agent.kill();
      TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_LIFE_MS / 4));
      agent.start();
    }
    agent.awaitReady();
    stage.awaitConnection();
  }

  /** How many lines of the audit log each adoption of the job has. */
  private static Map<String, Long> audited(Stage stage, long job) {
    return lines(stage, "audit.jsonl")
        .filter(line -> "session".equals(line.getString("event")))
        .filter(line -> Long.valueOf(job).equals(line.getLong("job")))
        .map(line -> line.getString("decision_id"))
        .collect(Collectors.toMap(id -> id, _ -> 1L, Long::sum, TreeMap::new));
  }

  /** The numbers of the job's sessions that have a last account. */
  private static List<Long> accounted(Stage stage, long job) {
    return lines(stage, "usage.jsonl")
        .filter(line -> "session".equals(line.getString("kind")))
        .filter(line -> Long.valueOf(job).equals(line.getLong("job")))
        .filter(line -> line.getString("ended_at") != null)
        .map(line -> line.getLong("session"))
        .toList();
  }

  private static Stream<JsonObject> lines(Stage stage, String file) {
    Path path = stage.cluster().directory().resolve("node2/disk").resolve(file);
    return stage
        .node2()
        .exec(User.ROOT, "cat", path.toString())
        .outOrThrow(file)
        .lines()
        .map(JsonObject::new);
  }
}
