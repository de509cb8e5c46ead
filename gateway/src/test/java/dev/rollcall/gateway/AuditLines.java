package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.testkit.process.Await;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a gateway has written to its audit log. */
record AuditLines(Path file) {
  /** Of the first gateway. */
  static AuditLines of(TestGateways gateways) {
    return new AuditLines(gateways.audit("gate0:7450"));
  }

  List<JsonObject> of(String event) {
    try {
      return Files.exists(file)
          ? Files.readAllLines(file).stream()
              .map(JsonObject::new)
              .filter(line -> line.getString("event").equals(event))
              .toList()
          : List.of();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The lines of a kind, when there are so many, without what differs from run to run. */
  List<String> of(String event, int count) {
    Await.until(count + " of " + event, () -> of(event).size() >= count);
    List<JsonObject> lines = of(event);
    assertEquals(count, lines.size(), lines::toString);
    lines.forEach(line -> List.of("time", "seq", "event").forEach(line::remove));
    return lines.stream().map(JsonObject::encode).toList();
  }
}
