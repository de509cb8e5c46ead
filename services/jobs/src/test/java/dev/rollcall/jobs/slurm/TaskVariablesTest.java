package dev.rollcall.jobs.slurm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.model.JobId;
import dev.rollcall.testkit.log.LoggedLines;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TaskVariablesTest {
  private static final JobId JOB = new JobId(42);

  /** As many as fit the part of the file that is read. */
  private static final int TINY = 70_000;

  private static Optional<Map<String, String>> read(List<String> variables) throws IOException {
    byte[] environ = (String.join("\0", variables) + "\0").getBytes(UTF_8);
    return TaskVariables.read(new ByteArrayInputStream(environ), JOB);
  }

  @Test
  void ofManyTinyVariablesTheFirstAreKeptAndTheJobsIdWhereverItIs() throws IOException {
    var variables = new ArrayList<String>();
    for (int i = 0; i < TINY; i++) {
      variables.add("SLURM_A" + i + "=");
    }
    variables.add("SLURM_JOB_ID=42");
    try (var logged = LoggedLines.of(TaskVariables.class.getName())) {
      Map<String, String> kept = read(variables).orElseThrow();
      assertEquals(TaskVariables.MOST + 1, kept.size());
      assertEquals("SLURM_JOB_ID", kept.keySet().iterator().next());
      assertEquals("", kept.get("SLURM_A127"));
      assertEquals(
          List.of(
              "job 42: the environment of its task has more than 128 variables or 32,768 bytes for"
                  + " sessions: 69,872 are left out, the first is SLURM_A128"),
          logged.lines());
    }
  }

  @Test
  void ofLongValuesNoMoreBytesAreKeptThanTheBound() throws IOException {
    var variables = new ArrayList<>(List.of("SLURM_JOB_ID=42"));
    for (int i = 100; i < 200; i++) {
      variables.add("SLURM_A" + i + "=" + "ä".repeat(507));
    }
    variables.add("SLURM_B=short");
    Map<String, String> kept = read(variables).orElseThrow();
    assertEquals(1 + 32, kept.size());
  }

  @Test
  void aVariableThatIsTooLongIsLeftOutAndTheNextIsRead() throws IOException {
    assertEquals(
        Optional.of(Map.of("SLURM_JOB_ID", "42", "SLURM_MOST", "x".repeat(1_024), "TMPDIR", "/t")),
        read(
            List.of(
                "SLURM_MOST=" + "x".repeat(1_024),
                "SLURM_MORE=" + "x".repeat(1_025),
                "SLURM_MORE=" + "ä".repeat(513),
                "HOME=" + "x".repeat(100_000),
                "SLURM_PROCID=0",
                "SLURM_BELL=\7",
                "SLURM_JOB_ID=42",
                "TMPDIR=/t")));
  }

  @Test
  void anEnvironmentWithoutTheIdOfTheJobIsNotBelieved() throws IOException {
    assertEquals(Optional.empty(), read(List.of("SLURM_NTASKS=3")));
    assertEquals(Optional.empty(), read(List.of("SLURM_JOB_ID=43", "SLURM_NTASKS=3")));
  }
}
