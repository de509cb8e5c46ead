package dev.rollcall.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.agent.series.JobCalls;
import dev.rollcall.agent.series.JobSeries;
import dev.rollcall.agent.series.SeriesNames;
import dev.rollcall.agent.series.device.NodeGpus;
import dev.rollcall.model.usage.MeasureDepth;
import dev.rollcall.port.CallSource;
import dev.rollcall.testkit.calls.FakeCallSource;
import dev.rollcall.testkit.jobs.InMemoryJobs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node without a program for calls has on its page: nothing, and no 0. */
class UncountedCallsTest {
  @TempDir private Path root;

  private boolean hasCalls(CallSource source) throws IOException {
    var jobs = new InMemoryJobs();
    var series =
        new JobSeries(
            jobs,
            MeasureDepth.JOBS,
            SeriesNames.ROLLCALL,
            "rollcall",
            _ -> "alice",
            new NodeGpus(root, System::nanoTime),
            new JobCalls(source, jobs, Map.of(27_000, "license")),
            System::nanoTime);
    byte[] page = series.page("text/plain");
    try (var unpacked = new GZIPInputStream(new ByteArrayInputStream(page))) {
      return new String(unpacked.readAllBytes(), UTF_8).contains("rollcall_job_calls");
    }
  }

  @Test
  void callsThatCannotBeCountedAreAbsent() throws IOException {
    assertEquals(true, hasCalls(new FakeCallSource()));
    assertEquals(false, hasCalls(new BlindCalls("no program")));
  }
}
