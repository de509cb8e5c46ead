package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.gateway.Roles.Who;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import dev.rollcall.wire.tls.TlsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the program of docs/services.md. */
class ServicesPageTest {
  private static final Path PAGE =
      Path.of(System.getProperty("rollcall.home", ".."), "docs/services.md");
  private static final Pattern PROGRAM = Pattern.compile("(?s)```python\n(.*?)```");

  @TempDir Path directory = Path.of("unset");
  private Roles roles;

  @BeforeEach
  void start() throws Exception {
    roles = new Roles(directory);
    var block = PROGRAM.matcher(Files.readString(PAGE));
    assertTrue(block.find(), "no program in " + PAGE);
    Files.writeString(directory.resolve("who.py"), block.group(1));
  }

  @AfterEach
  void stop() {
    roles.close();
  }

  @Test
  void itsProgramAsksForManyConnections() throws Exception {
    FakeAgent node1 = roles.agent(Who.NODE1, "node1", "10.0.0.1");
    node1.complete();
    node1.announce(node1.call("10.0.0.1:40000", "10.0.0.5:27000", 1001), 1);
    String[] ends = {"10.0.0.9:40001", "10.0.0.5:27000", "10.0.0.1:40000", "10.0.0.5:27000"};

    Await.until("the call is there", () -> !run(ends).out().contains("40000 unknown"));
    assertEquals("10.0.0.9:40001 unknown\n10.0.0.1:40000 uid 1001 job 42\n", run(ends).out());
  }

  @Test
  void itNamesARefusal() {
    Result refused = run("10.0.0.1:40000", "10.0.0.5:99999");
    assertTrue(refused.err().contains("OSError: 127.0.0.1:"), refused.err());
    assertTrue(refused.err().contains("port"), refused.err());
  }

  private Result run(String... ends) {
    TlsFiles own = roles.files(Who.SERVICE);
    var command =
        new ArrayList<>(
            List.of(
                "python3",
                directory.resolve("who.py").toString(),
                "127.0.0.1:" + roles.gateways.gateway(0).port(),
                own.ca().toString(),
                own.certificate().toString(),
                own.key().toString()));
    command.addAll(List.of(ends));
    return Running.run(Duration.ofSeconds(20), command);
  }
}
