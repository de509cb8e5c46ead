package dev.rollcall.wire.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.wire.lines.LineMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AuditLogTest {
  private static final Clock NOON =
      Clock.fixed(Instant.parse("2026-11-22T12:00:00Z"), ZoneOffset.UTC);
  @TempDir private Path directory;
  private final AtomicLong nanos = new AtomicLong();

  private AuditLog open() {
    return new AuditLog(
        file(),
        new AuditLog.Writer("gateway", "gate1:7450", "9.9"),
        LineMeters.of(new SimpleMeterRegistry(), "audit"),
        Duration.ofMillis(20),
        NOON,
        nanos::get);
  }

  private Path file() {
    return directory.resolve("audit.jsonl");
  }

  /** After the log is closed. */
  private List<JsonObject> lines() throws IOException {
    return Files.readAllLines(file()).stream().map(JsonObject::new).toList();
  }

  private static AuditLine refusal() {
    return AuditLine.of(AuditEvent.CALL).put("outcome", "refused");
  }

  @Test
  void everyLineHasAllFieldsOfItsKindInOrder() throws IOException {
    try (AuditLog log = open()) {
      for (AuditEvent event : AuditEvent.values()) {
        log.write(AuditLine.of(event));
      }
    }
    List<JsonObject> lines = lines();
    int next = 1;
    for (AuditEvent event : AuditEvent.values()) {
      JsonObject line = lines.get(next++);
      var fields = new ArrayList<>(AuditEvent.COMMON);
      fields.addAll(event.fields());
      assertEquals(fields, List.copyOf(line.fieldNames()));
      assertEquals(event.word(), line.getString("event"));
    }
    assertEquals(
        """
        {"time":"2026-11-22T12:00:00Z","seq":1,"writer":"gateway","host":"gate1:7450",\
        "event":"start","version":"9.9"}\
        """,
        lines.getFirst().encode());
    assertEquals(lines.size(), lines.getLast().getLong("seq"));
    assertEquals("stop", lines.getLast().getString("event"));
  }

  @ParameterizedTest
  @EnumSource(AuditEvent.class)
  void aFieldThatTheKindDoesNotHaveIsAMistake(AuditEvent event) {
    assertThrows(
        IllegalArgumentException.class, () -> AuditLine.of(event).put("made_up", "anything"));
  }

  @Test
  void aLongTextIsCut() throws IOException {
    try (AuditLog log = open()) {
      log.write(AuditLine.of(AuditEvent.CALL).put("detail", "x".repeat(100_000)));
    }
    assertEquals(1_024, lines().get(1).getString("detail").length());
  }

  @Test
  void oneWhoIsRefusedAgainAndAgainDoesNotHideAnother() throws IOException {
    try (AuditLog log = open()) {
      for (int at = 0; at < 10_000; at++) {
        log.writeSparingly("alice", refusal());
      }
      log.writeSparingly("bob", refusal().put("name", "bob"));
      log.tellLeftOut();
      log.tellLeftOut();
    }
    List<JsonObject> lines = lines();
    assertEquals(1 + 10 + 1 + 1 + 1, lines.size());
    assertEquals("bob", lines.get(11).getString("name"));
    JsonObject leftOut = lines.get(12);
    assertEquals("left-out", leftOut.getString("event"));
    assertEquals(9_990, leftOut.getLong("count"));
    assertEquals("2026-11-22T12:00:00Z", leftOut.getString("since"));
  }

  @Test
  void anAllowanceGrowsAgain() throws IOException {
    try (AuditLog log = open()) {
      for (int second = 0; second < 100; second++) {
        log.writeSparingly("alice", refusal());
        log.writeSparingly("alice", refusal());
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
      }
    }
    long calls = lines().stream().filter(line -> line.getString("event").equals("call")).count();
    // Ten at once, and one in five seconds of a hundred.
    assertTrue(calls >= 28 && calls <= 30, () -> calls + " lines");
  }

  @Test
  void manyWhoAreRefusedDoNotFillADiskTogether() throws IOException {
    try (AuditLog log = open()) {
      for (int at = 0; at < 100_000; at++) {
        log.writeSparingly("user" + at, refusal());
      }
    }
    List<JsonObject> lines = lines();
    assertEquals(1 + 200 + 1 + 1, lines.size());
    assertEquals(99_800, lines.get(201).getLong("count"));
  }
}
