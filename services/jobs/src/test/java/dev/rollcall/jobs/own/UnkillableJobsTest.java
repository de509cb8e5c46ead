package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobProcess;
import dev.rollcall.model.JobState;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.port.Jobs.EndOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnkillableJobsTest {
  @TempDir private Path directory;

  private final NativeJob job =
      new NativeJob(
          new Job(new JobId(42), 1001, 1001, Instant.EPOCH, JobState.OPEN),
          Allocation.NONE,
          KnownJobs.none().list());

  private UnkillableJobs after(Duration after) throws IOException {
    Path program = directory.resolve("drain");
    Files.writeString(
        program,
        """
        #!/bin/sh
        echo "$SLURM_JOB_ID $SLURM_JOB_UID $ROLLCALL_PIDS" >>%s/ran
        exit 3
        """
            .formatted(directory));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return new UnkillableJobs(
        Optional.of(new UnkillableProgram(program, after)),
        id ->
            List.of(
                new JobProcess(new ProcessRef(4711, 1), StepId.EXTERN, "cp"),
                new JobProcess(new ProcessRef(4712, 1), StepId.EXTERN, "cp")));
  }

  private List<String> ran() throws IOException {
    Path file = directory.resolve("ran");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private void look(UnkillableJobs jobs) throws InterruptedException {
    Optional<Thread> thread = jobs.look(job);
    if (thread.isPresent()) {
      thread.get().join();
    }
  }

  @Test
  void theProgramRunsOnceForAJobWithItsProcesses() throws Exception {
    UnkillableJobs jobs = after(Duration.ZERO);
    job.close(EndOrder.now(Duration.ZERO));
    look(jobs);
    look(jobs);
    assertEquals(List.of("42 1001 4711 4712"), ran());

    jobs.forget(job.id());
    look(jobs);
    assertEquals(2, ran().size(), "the number came again");
  }

  @Test
  void itWaitsForItsTimeAfterTheKill() throws Exception {
    UnkillableJobs jobs = after(Duration.ofSeconds(60));
    job.close(EndOrder.now(Duration.ZERO));
    look(jobs);
    assertEquals(List.of(), ran());
  }

  @Test
  void aGraceIsNoDelayOfTheKill() throws Exception {
    UnkillableJobs jobs = after(Duration.ofSeconds(1));
    job.close(new EndOrder("", Duration.ofHours(1), Duration.ZERO));
    look(jobs);
    assertEquals(List.of(), ran());
  }
}
