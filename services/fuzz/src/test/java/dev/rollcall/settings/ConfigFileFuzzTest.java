package dev.rollcall.settings;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rollcall.model.Endpoint;

/** The agent's and the gateway's files: whatever is in them, the mistake is named. */
class ConfigFileFuzzTest {
  @FuzzTest
  void fuzz(byte[] input) {
    try {
      var file = ConfigFile.of("agent.yaml", new String(input, UTF_8));
      file.value("node", String::strip);
      file.value("size", Integer::parseInt);
      file.value("listen", Endpoint::parse);
      file.values("gateways", HostPort::parse);
      var section = file.section("tls");
      if (section.isPresent()) {
        section.get().value("key", String::strip);
        section.get().end();
      }
      file.end();
    } catch (BadConfigException e) {
      assertTrue(String.valueOf(e.getMessage()).startsWith("agent.yaml"), e.getMessage());
    }
  }
}
