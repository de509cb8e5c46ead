package dev.rollcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.cli.config.ConfigShowCommand;
import dev.rollcall.cli.exit.CommandFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ConfigShowTest {
  @TempDir private Path folder = Path.of("");

  /** Stands in for the launcher: notes its words, prints this, and exits with this status. */
  private Path launcher(String printed, int status) throws IOException {
    Path file = folder.resolve("rollcall");
    Files.writeString(
        file,
        "#!/bin/sh\necho \"$@\" >%s/asked\nprintf '%s'\nexit %d\n"
            .formatted(folder, printed, status));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }

  private Shell.Ran show(Path launcher, Map<String, String> environment, String... words) {
    var out = new StringWriter();
    var err = new StringWriter();
    var command = new CommandLine(new ConfigShowCommand(launcher, environment));
    command.setExecutionExceptionHandler((e, its, parsed) -> {
      its.getErr().println(e.getMessage());
      return ((CommandFailure) e).code().status();
    });
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int status = command.execute(words);
    command.getErr().flush();
    return new Shell.Ran(status, out.toString(), err.toString());
  }

  private static final String KEYS =
      "cluster\\t/e/a.yaml\\t3\\t=alps\\nnode\\t\\t\\t\\nslice\\t/e/cgroup.conf\\t0\\t=a.slice\\nhierarchy\\t\\t\\t=auto\\n";

  @Test
  void everyKeyHasItsValueAndItsPlace() throws IOException {
    Path launcher = launcher(KEYS, 0);
    assertEquals(
        new Shell.Ran(
            0,
            """
            KEY        VALUE    FROM
            cluster    alps     /e/a.yaml:3
            node       -        default
            slice      a.slice  /e/cgroup.conf
            hierarchy  auto     default
            """,
            ""),
        show(launcher, Map.of(), "agent", "--config", "/e/a.yaml"));
    assertEquals(
        "agent --show-config /e/a.yaml", Files.readString(folder.resolve("asked")).strip());
  }

  @Test
  void withoutAFileItIsTheOneThatTheUnitNames() throws IOException {
    show(launcher("", 0), Map.of(), "gateway");
    assertEquals(
        "gateway --show-config /etc/rollcall/gateway.yaml",
        Files.readString(folder.resolve("asked")).strip());
  }

  @Test
  void theLaunchersVariablesAreShownWithoutSecrets() throws IOException {
    Map<String, String> environment =
        Map.of(
            "ROLLCALL_AGENT_OPTS", "-Xmx64m -Djavax.net.ssl.keyStorePassword=geheim -Dx=1",
            "ROLLCALL_GATEWAY_OPTS", "-Xmx1g",
            "HOME", "/root");
    assertEquals(
        """
        KEY                  VALUE                                                  FROM
        ROLLCALL_AGENT_OPTS  -Xmx64m -Djavax.net.ssl.keyStorePassword=*** -Dx=1  environment
        """
            .replace("VALUE    ", "VALUE ")
            .replaceAll(" +", " "),
        show(launcher("", 0), environment).out().replaceAll(" +", " "));
  }

  @Test
  void programsGetTheSameInJson() throws IOException {
    assertEquals(
        "[{\"key\":\"cluster\",\"value\":\"alps\",\"source\":\"file\",\"file\":\"/e/a.yaml\",\"line\":3},"
            + "{\"key\":\"node\",\"value\":null,\"source\":\"default\",\"file\":null,\"line\":null},{\"key\":\"slice\",\"value\":\"a.slice\",\"source\":\"file\",\"file\":\"/e/cgroup.conf\",\"line\":null},{\"key\":\"hierarchy\",\"value\":\"auto\",\"source\":\"default\",\"file\":null,\"line\":null}]\n",
        show(launcher(KEYS, 0), Map.of(), "--json").out());
  }

  @Test
  void aFileThatTheProgramRefusesIsNamed() throws IOException {
    assertEquals(
        new Shell.Ran(2, "", "/e/a.yaml line 3: cluster: no\n"),
        show(launcher("rollcall agent: /e/a.yaml line 3: cluster: no\\n", 78), Map.of()));
  }
}
