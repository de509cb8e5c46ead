package dev.rollcall.gateway.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;

/** What {@code squeue --json} prints. */
class SqueueFuzzTest {
  private static final Instant NOW = Instant.parse("2026-11-22T00:00:00Z");

  @FuzzTest
  void fuzz(byte[] input) {
    try {
      SqueueJson.read(new ByteArrayInputStream(input), NOW)
          .forEach((id, job) -> {
            assertEquals(id, job.id());
            assertTrue(
                job.startedAt().isAfter(Instant.EPOCH) && !job.startedAt().isAfter(NOW),
                job::toString);
            // Slurm's words for "none", -1 and -2, are nobody's ids.
            assertTrue(job.uid() != -1 && job.uid() != -2 && job.gid() != -1, job::toString);
          });
    } catch (IOException e) {
      assertFalse(String.valueOf(e.getMessage()).isBlank());
    }
  }
}
