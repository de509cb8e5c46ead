package dev.rollcall.deploy.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the scripts of docs/other-batch-systems.md, with stand-ins for the commands. */
class OtherBatchSystemsPageTest {
  private static final Pattern SCRIPT = Pattern.compile("(?s)```sh\n(.*?)```");

  @TempDir Path folder = Path.of("unset");

  @ParameterizedTest
  @CsvSource({
    "1234.server, 1234",
    "1234, 1234",
    "1234[5].server, 3445496560",
    "1234[17].server.site, 2716143220"
  })
  void theyBeginAndEndTheSameJob(String id, String number) throws Exception {
    assertEquals("job begin " + number + " --user alice\n", run(0, "exit 0", id));
    assertEquals("job end " + number + " --user alice\n", run(1, "exit 0", id));
  }

  @Test
  void theNumberIsKeptUntilTheEnd() throws Exception {
    run(0, "exit 0", "1234[5].server");
    assertTrue(Files.exists(folder.resolve("kept/3445496560")));
    run(1, "exit 0", "1234[5].server");
    assertTrue(Files.notExists(folder.resolve("kept/3445496560")));
  }

  @Test
  void aFailureIsLoggedAndKeepsTheJobRunning() throws Exception {
    String printed = run(0, "exit 5", "1234.server");
    assertTrue(printed.contains("job 1234.server of alice did not begin"), printed);
    printed = run(1, "exit 1", "1234.server");
    assertTrue(printed.contains("job 1234.server of alice left something"), printed);
  }

  private String run(int script, String answer, String id)
      throws IOException, InterruptedException {
    List<String> scripts =
        SCRIPT
            .matcher(Page.read("other-batch-systems.md").text())
            .results()
            .map((MatchResult found) -> found.group(1))
            .toList();
    Path program =
        write("script", scripts.get(script).replace("/opt/rollcall/lib/hooks", folder.toString()));
    write(
        "number",
        Files.readString(Path.of("hooks/number"))
            .replace("/run/rollcall-hooks", folder.resolve("kept").toString()));
    write("rollcall", "#!/bin/sh\necho \"$@\"\n" + answer + "\n");
    write("logger", "#!/bin/sh\necho \"$@\"\n");
    var command = new ArrayList<>(List.of(program.toString(), id, "alice", "users"));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
    Process ran = builder.start();
    String printed = new String(ran.getInputStream().readAllBytes(), UTF_8);
    assertTrue(ran.waitFor(20, TimeUnit.SECONDS), printed);
    assertEquals(0, ran.exitValue(), printed);
    return printed;
  }

  private Path write(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
