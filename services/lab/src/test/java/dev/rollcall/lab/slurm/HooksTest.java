package dev.rollcall.lab.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.tree.SourceTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Prolog and epilog, with a stand-in for the command that they call. */
class HooksTest {
  private static final Path HOOKS = SourceTree.DISTRIBUTION.resolve("lib/slurm");
  private static final Map<String, String> JOB =
      Map.of("SLURM_JOB_ID", "42", "SLURM_JOB_UID", "2001", "SLURM_JOB_GID", "2000");

  private static final String BEGIN = "job begin --uid 2001 --batch-environment --gid 2000 42\n";

  @TempDir private Path folder = Path.of("");

  private record Ran(int status, String out, String err, String asked) {}

  @Test
  void thePrologTellsWhoseJobBegins() throws Exception {
    assertEquals(new Ran(0, "", "", BEGIN), run("prolog", "exit 0", JOB));
  }

  /** As slurmd numbers the devices of tasks, which see no others. */
  @ParameterizedTest
  @CsvSource({"ConstrainDevices=yes,0 1", "constraindevices = Yes,0 1", "ConstrainDevices=no,3 5"})
  void thePrologNumbersDevicesAsTheTasksSeeThem(String line, String expected) throws Exception {
    Path conf = folder.resolve("slurm.conf");
    Files.writeString(folder.resolve("cgroup.conf"), "# a comment\n" + line + "\n");
    Ran ran =
        run(
            "prolog",
            "echo $CUDA_VISIBLE_DEVICES $ROCR_VISIBLE_DEVICES >>" + folder.resolve("asked"),
            JOB,
            Map.of(
                "SLURM_CONF",
                conf.toString(),
                "CUDA_VISIBLE_DEVICES",
                "3,5",
                "ROCR_VISIBLE_DEVICES",
                "GPU-12ab"));
    assertEquals(BEGIN + expected.replace(' ', ',') + " GPU-12ab\n", ran.asked());
    assertEquals("", ran.err());
  }

  @Test
  void theEpilogTellsThatAJobIsOver() throws Exception {
    assertEquals(
        new Ran(0, "", "", "job end --wait 0 --uid 2001 42\n"), run("epilog", "exit 0", JOB));
  }

  @Test
  void aJobThatTheAgentDoesNotKnowEndsWithoutAWord() throws Exception {
    assertEquals(
        new Ran(0, "", "", "job end --wait 0 --uid 2001 42\n"), run("epilog", "exit 4", JOB));
  }

  @ParameterizedTest
  @ValueSource(strings = {"prolog", "epilog"})
  void whoCannotReachTheAgentSaysSoAndDoesNotDrainTheNode(String hook) throws Exception {
    Ran ran = run(hook, "echo no agent >&2; exit 5", JOB);
    assertEquals(0, ran.status());
    assertEquals("", ran.out());
    assertTrue(ran.err().contains("(status 5): no agent"), ran.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"prolog", "epilog"})
  void aSiteMayWantItToFail(String hook) throws Exception {
    assertEquals(1, run(hook, "exit 5", JOB, Map.of("ROLLCALL_HOOK_STRICT", "1")).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"prolog", "epilog"})
  void aCommandThatHangsIsStopped(String hook) throws Exception {
    Ran ran = run(hook, "exec sleep 600", JOB, Map.of("ROLLCALL_HOOK_TIMEOUT", "0.2"));
    assertEquals(0, ran.status());
    assertTrue(ran.err().contains("did not end within"), ran.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"prolog", "epilog"})
  void outsideOfSlurmNothingIsAsked(String hook) throws Exception {
    Ran ran = run(hook, "exit 0", Map.of());
    assertEquals(0, ran.status());
    assertEquals("", ran.asked());
    assertTrue(ran.err().contains("this is for slurmd to call"), ran.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"prolog", "epilog"})
  void theSitesFileIsRead(String hook) throws Exception {
    Path settings = Files.writeString(folder.resolve("settings"), "ROLLCALL_HOOK_STRICT=1\n");
    assertEquals(
        1,
        run(hook, "exit 5", JOB, Map.of("ROLLCALL_HOOK_SETTINGS", settings.toString())).status());
  }

  private Ran run(String hook, String command, Map<String, String> job) throws Exception {
    return run(hook, command, job, Map.of());
  }

  private Ran run(String hook, String command, Map<String, String> job, Map<String, String> more)
      throws IOException, InterruptedException {
    Path asked = folder.resolve("asked");
    Path rollcall = folder.resolve("rollcall");
    Files.writeString(rollcall, "#!/bin/sh\necho \"$*\" >" + asked + "\n" + command + "\n");
    Files.setPosixFilePermissions(rollcall, PosixFilePermissions.fromString("rwxr-xr-x"));
    var builder = new ProcessBuilder(HOOKS.resolve(hook).toAbsolutePath().toString());
    builder.environment().clear();
    builder.environment().put("PATH", "/usr/bin:/bin");
    builder.environment().put("ROLLCALL", rollcall.toString());
    builder.environment().put("ROLLCALL_HOOK_SETTINGS", folder.resolve("none").toString());
    builder.environment().putAll(job);
    builder.environment().putAll(more);
    Process process =
        builder
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile())
            .start();
    assertTrue(process.waitFor(20, TimeUnit.SECONDS), hook + " hangs");
    return new Ran(
        process.exitValue(), text(folder.resolve("out")), text(folder.resolve("err")), text(asked));
  }

  private static String text(Path file) throws IOException {
    return Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
  }
}
