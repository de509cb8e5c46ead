package dev.rollcall.jobs.slurm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.JobId;
import dev.rollcall.model.allocation.EnvironmentAllowList;
import dev.rollcall.testkit.log.LoggedLines;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
      String named = Objects.requireNonNull(kept.remove(EnvironmentAllowList.LEFT_OUT));
      assertEquals(TaskVariables.MOST + 1, kept.size());
      assertEquals("SLURM_JOB_ID", kept.keySet().iterator().next());
      assertEquals("", kept.get("SLURM_A127"));
      assertTrue(named.startsWith("SLURM_A128 SLURM_A129 "), named);
      assertEquals(
          List.of(
              "job 42: sessions do not get these variables of its batch script: "
                  + named
                  + ", and 69,856 others. A value has at most 4,096 printable bytes, all have"
                  + " 32,768"),
          logged.lines());
    }
  }

  @Test
  void ofLongValuesNoMoreBytesAreKeptThanTheBound() throws IOException {
    var variables = new ArrayList<>(List.of("SLURM_JOB_ID=42"));
    for (int i = 10; i < 40; i++) {
      variables.add("SLURM_A" + i + "=" + "ä".repeat(2_043));
    }
    variables.add("SLURM_B=short");
    Map<String, String> kept = read(variables).orElseThrow();
    kept.remove(EnvironmentAllowList.LEFT_OUT);
    assertEquals(1 + 7 + 1, kept.size());
  }

  /** Such as the UUIDs of 56 parts of GPUs, which have 2,295 bytes, and of more. */
  @Test
  void aVariableWithAValueThatNoSessionGetsIsNamedAndTheNextIsRead() throws IOException {
    assertEquals(
        Optional.of(
            Map.of(
                "SLURM_JOB_ID",
                "42",
                "CUDA_VISIBLE_DEVICES",
                "x".repeat(4_096),
                "TMPDIR",
                "/t",
                EnvironmentAllowList.LEFT_OUT,
                "HIP_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES SLURM_MORE SLURM_BELL SLURM_LINES")),
        read(
            List.of(
                "CUDA_VISIBLE_DEVICES=" + "x".repeat(4_096),
                "HIP_VISIBLE_DEVICES=" + "x".repeat(4_097),
                "ROCR_VISIBLE_DEVICES=" + "x".repeat(64 << 10),
                "SLURM_MORE=" + "ä".repeat(2_049),
                "HOME=" + "x".repeat(100_000),
                "SLURM_BELL=\7",
                "SLURM_LINES=a\nb",
                "LD_PRELOAD=/tmp/x.so",
                "SLURM_JOB_ID=42",
                "TMPDIR=/t")));
  }

  @Test
  void anEnvironmentWithoutTheIdOfTheJobIsNotBelieved() throws IOException {
    assertEquals(Optional.empty(), read(List.of("SLURM_NTASKS=3")));
    assertEquals(Optional.empty(), read(List.of("SLURM_JOB_ID=43", "SLURM_NTASKS=3")));
  }
}
