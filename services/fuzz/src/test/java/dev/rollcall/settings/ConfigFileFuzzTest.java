package dev.rollcall.settings;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rollcall.model.Endpoint;
import java.util.List;

/** The agent's and the gateway's files: whatever is in them, the mistake is named. */
class ConfigFileFuzzTest {
  private static final Kind<String> TEXT = Kind.of("a text", String::strip);

  @FuzzTest
  void fuzz(byte[] input) {
    try {
      var file = ConfigFile.of("agent.yaml", new String(input, UTF_8));
      file.value("node", TEXT);
      file.value("size", Kind.number(0, 9));
      file.value("listen", Kind.of("an endpoint", Endpoint::parse));
      file.values("gateways", Kind.hostPort(), List.of());
      var section = file.section("tls");
      if (section.isPresent()) {
        section.get().value("key", TEXT);
        section.get().end();
      }
      file.end();
    } catch (BadConfigException e) {
      assertTrue(String.valueOf(e.getMessage()).startsWith("agent.yaml"), e.getMessage());
    }
  }
}
