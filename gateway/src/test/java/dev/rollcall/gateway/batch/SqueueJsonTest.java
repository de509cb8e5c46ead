package dev.rollcall.gateway.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs.JobSpec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqueueJsonTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_668_772_805);

  private static Map<JobId, JobSpec> read(String text) throws IOException {
    return SqueueJson.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), NOW);
  }

  private static JobSpec spec(long job, int uid, int gid, long start) {
    return new JobSpec(new JobId(job), uid, gid, Instant.ofEpochSecond(start));
  }

  /** Of those that wait, start later, or have no start, group or both, nothing is believed. */
  @ParameterizedTest
  @ValueSource(strings = {"22.05", "23.11"})
  void readsOwnerGroupAndStartOfJobsThatHaveStarted(String release) throws IOException {
    try (var recorded = getClass().getResourceAsStream("squeue-" + release + ".json")) {
      assertEquals(
          Map.of(
              new JobId(41),
              spec(41, 2001, 100, 1_668_772_800),
              new JobId(43),
              spec(43, (int) 4_294_967_293L, 101, 1_668_772_801)),
          SqueueJson.read(Objects.requireNonNull(recorded), NOW));
    }
  }

  @Test
  void noJobsAreNoFailure() throws IOException {
    assertEquals(Map.of(), read("{\"jobs\": []}"));
  }

  /** A controller that is away, as Slurm 22.05 tells it, whose squeue exits with 0. */
  @Test
  void anErrorInThePlaceOfJobsIsToldInItsWords() {
    var failure =
        assertThrows(
            IOException.class,
            () ->
                read(
                    """
                    {"meta": {"Slurm": {"release": "22.05.8"}},
                     "errors": [
                       {
                         "description": "Failed while looking for jobs",
                         "error_number": -1,
                         "error": "Unspecified error",
                         "source": "slurm_load_jobs"
                       }
                     ],
                     "jobs": [
                     ]
                    }
                    """));
    assertEquals(
        "it says: Failed while looking for jobs: Unspecified error: slurm_load_jobs",
        failure.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | not a JSON object",
        "[] | not a JSON object",
        "{\"a\": 1} | no list 'jobs'",
        "{\"jobs\": 7} | no list 'jobs'",
        "{\"jobs\": [{\"job_id\": 1 | not JSON: Unexpected end-of-input",
        "{\"jobs\": [}, | not JSON: Unexpected",
        "squeue: error: what | not JSON: Unrecognized token 'squeue'"
      })
  void whatIsNotUnderstoodIsNamed(String text, String message) {
    var failure = assertThrows(IOException.class, () -> read(text));
    assertTrue(String.valueOf(failure.getMessage()).startsWith(message), failure.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "7, null, \"text\", [[{}]]",
        "{}",
        "{\"job_id\": 0, \"user_id\": 1, \"group_id\": 1, \"start_time\": 1}",
        "{\"job_id\": 99999999999999999999, \"user_id\": 1, \"group_id\": 1, \"start_time\": 1}",
        "{\"job_id\": 1, \"user_id\": -1, \"group_id\": 1, \"start_time\": 1}",
        "{\"job_id\": 1, \"user_id\": null, \"group_id\": 1, \"start_time\": 1}",
        "{\"job_id\": 1, \"user_id\": 1, \"group_id\": \"users\", \"start_time\": 1}",
        "{\"job_id\": 1, \"user_id\": 1, \"group_id\": 1, \"start_time\": 1.5}",
        "{\"job_id\": 1, \"user_id\": 1, \"group_id\": 1, \"start_time\": {}}",
        "{\"job_id\": 1, \"user_id\": 1, \"group_id\": 1, \"start_time\": {\"number\": [1]}}"
      })
  void aJobThatMakesNoSenseIsPassedOver(String job) throws IOException {
    String good = "{\"job_id\": 2, \"user_id\": 1, \"group_id\": 1, \"start_time\": 1}";
    assertEquals(
        Map.of(new JobId(2), spec(2, 1, 1, 1)), read("{\"jobs\": [" + job + ", " + good + "]}"));
  }
}
