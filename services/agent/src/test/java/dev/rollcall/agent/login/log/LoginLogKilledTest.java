package dev.rollcall.agent.login.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.agent.login.file.LoginDirectory;
import dev.rollcall.testkit.history.Rounds;
import dev.rollcall.testkit.process.Eventually;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real agents, killed by SIGKILL while logins are recorded, also as the log is replaced. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class LoginLogKilledTest {
  @TempDir private Path run;
  private final List<String> recorded = new ArrayList<>();

  private Path log() {
    return ReadingAgent.directory(run).resolve("log");
  }

  private void append(int count) throws IOException {
    byte[][] records = new byte[count][];
    for (int i = 0; i < count; i++) {
      String id = "b-" + recorded.size();
      recorded.add(id);
      records[i] = Records.framed(Records.adopted(id).setConnection(Records.connection(i + 1)));
    }
    Files.write(log(), Records.joined(records), StandardOpenOption.APPEND);
  }

  /** A line that a killed agent did not write whole is none. */
  private List<String> audited() {
    return lines().stream()
        .filter(line -> line.startsWith("{") && line.endsWith("}"))
        .map(JsonObject::new)
        .filter(line -> "session".equals(line.getString("event")))
        .map(line -> String.valueOf(line.getString("decision_id")))
        .toList();
  }

  private List<String> lines() {
    try {
      return Files.readAllLines(ReadingAgent.audit(run));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void eachRecordHasOneLineInTheAuditFile() throws Exception {
    long seed = System.nanoTime();
    var random = new Random(seed);
    new LoginDirectory(ReadingAgent.directory(run)).make();
    new LoginDirectory(ReadingAgent.directory(run)).makeLog();
    for (int round = 0; round < Rounds.of(3, 100, 1, 1).count(); round++) {
      // The log is replaced in the first round, and in some later ones.
      append(round % 10 == 0 ? 5_000 : 50);
      try (var agent = ReadingAgent.start(run)) {
        agent.awaitReading();
        for (int logins = random.nextInt(100); logins > 0; logins--) {
          append(1);
          LockSupport.parkNanos(Duration.ofMillis(random.nextInt(8)).toNanos());
        }
        agent.kill();
      }
    }
    try (var agent = ReadingAgent.start(run)) {
      agent.awaitReading();
      Eventually.await(
          Duration.ofMinutes(1),
          () -> audited().size() >= recorded.size(),
          () -> "lines are missing, seed " + seed);
    }
    assertEquals(
        IntStream.range(0, recorded.size()).mapToObj(i -> "b-" + i).sorted().toList(),
        audited().stream().sorted().toList(),
        "seed " + seed);
  }
}
