package dev.rollcall.agent.series.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.event.StageHealth;
import dev.rollcall.model.JobId;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.model.allocation.DeviceRule;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.DeviceRules.Kind;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.testkit.disk.SmallDisk;
import dev.rollcall.testkit.jobs.InMemoryJobs;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The names and texts are those that the exporters' sources read: docs/job-metrics.md. */
class GpuJobFilesTest {
  private static final int ALICE = 1_001;
  private static final String UUID = "GPU-b614723c-e261-4605-066e-79daab4c00f";
  private static final JobId JOB = new JobId(42);

  @TempDir private Path root;
  @TempDir private Path directory;
  private final InMemoryJobs jobs = new InMemoryJobs();

  /** The driver numbers the second GPU of the bus first. */
  @BeforeEach
  void twoGpus() throws IOException {
    FakeGpus.nvidia(root, "0000:07:00.0", 1, UUID + "1");
    FakeGpus.nvidia(root, "0000:0f:00.0", 0, UUID + "0");
  }

  private StageHealth renew(GpuFileForm form) {
    var gpus = new NodeGpus(root, System::nanoTime);
    return new GpuJobFiles(jobs, gpus, _ -> "alice", Map.of(directory, form)).renew();
  }

  private void renew() {
    StageHealth health = renew(GpuFileForm.DCGM);
    assertTrue(health.well(), health.detail());
  }

  private void begin(JobId id, Allocation allocation) {
    jobs.begin(new JobSpec(id, ALICE, ALICE, Instant.EPOCH.plusSeconds(id.number()), allocation));
  }

  private void begin(JobId id, String name, String value) {
    begin(id, Allocation.NONE.with(Map.of(), Map.of(name, value)));
  }

  private Map<String, String> files() throws IOException {
    Map<String, String> texts = new TreeMap<>();
    try (Stream<Path> all = Files.list(directory)) {
      for (Path file : all.toList()) {
        texts.put(String.valueOf(file.getFileName()), Files.readString(file));
      }
    }
    return texts;
  }

  @Test
  void nothingIsWrittenWhereOthersMayWrite() throws IOException {
    begin(JOB, "SLURM_JOB_GPUS", "0");
    for (String mode : List.of("rwxrwxr-x", "rwxr-x-wx")) {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(mode));
      StageHealth health = renew(GpuFileForm.DCGM);
      assertEquals(
          "others may write to " + directory + ": job files of GPUs are not written",
          health.detail());
      assertFalse(health.well());
    }
    assertEquals(Map.of(), files());
  }

  @Test
  void aGpuHasAFileWhileAJobHasIt() throws IOException {
    begin(JOB, "SLURM_JOB_GPUS", "0");
    begin(new JobId(43), "SLURM_JOB_GPUS", "0-1");
    begin(new JobId(44), "SLURM_JOB_GPUS", "7,99");
    begin(new JobId(45), Allocation.NONE);
    renew();
    assertEquals(Map.of("1", "42\n43\n", "0", "43\n"), files(), "NVML counts along the bus");
    assertEquals(
        "rw-r--r--",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("1"))));
    jobs.end(new JobId(43), Duration.ZERO);
    renew();
    assertEquals(Map.of("1", "42\n"), files());
    jobs.end(JOB, Duration.ZERO);
    renew();
    assertEquals(Map.of(), files());
  }

  @Test
  void aMigInstanceHasAFileOfItsOwn() throws IOException {
    FakeGpus.instance(root, 0, 5, 48);
    var rules = Stream.of("c 195:0 rw", "c 237:48 r").map(DeviceRule::parse).toList();
    begin(JOB, Allocation.NONE.with(new DeviceRules(Kind.ALLOW_LIST, rules)));
    begin(new JobId(43), "CUDA_VISIBLE_DEVICES", "MIG-ec4c3916-65fa-5948-b9b5-9f21a2ddfcc0");
    renew();
    assertEquals(Map.of("1.5", "42\n"), files());
  }

  @Test
  void amdsExporterReadsVariablesOfTheLastJob() throws IOException {
    FakeGpus.render(root, 128);
    FakeGpus.render(root, 129);
    Files.walk(root.resolve("proc"))
        .sorted(java.util.Comparator.reverseOrder())
        .forEach(it -> {
          assertTrue(it.toFile().delete());
        });
    begin(JOB, "SLURM_JOB_GPUS", "0,1");
    var variables =
        Map.of(
            "SLURM_JOB_GPUS", "1",
            "SLURM_JOB_PARTITION", "mi\"300",
            "SLURM_CLUSTER_NAME", "alps",
            "SLURM_JOB_USER", "root");
    begin(new JobId(43), Allocation.NONE.with(Map.of(), variables));
    assertTrue(renew(GpuFileForm.AMD).well());
    assertEquals(
        Map.of(
            "SLURM_JOB_ID", "43",
            "SLURM_JOB_USER", "alice",
            "SLURM_JOB_PARTITION", "mi\"300",
            "SLURM_CLUSTER_NAME", "alps",
            "CUDA_VISIBLE_DEVICES", "1"),
        new JsonObject(files().get("1")).getMap());
    assertEquals("42", new JsonObject(files().get("0")).getString("SLURM_JOB_ID"));
    assertEquals(2, files().size());
  }

  @Test
  void anAgentThatStartsMakesTrueWhatAnEarlierOneLeft() throws IOException {
    begin(JOB, "SLURM_JOB_GPUS", "0");
    begin(new JobId(43), "SLURM_JOB_GPUS", "1");
    renew();
    Object before = Files.getAttribute(directory.resolve("1"), "unix:ino");
    Files.writeString(directory.resolve(".rollcall.new"), "the agent ended while it wrote");
    jobs.end(new JobId(43), Duration.ZERO);
    renew();
    assertEquals(Map.of("1", "42\n", ".rollcall.new", "the agent ended while it wrote"), files());
    assertEquals(before, Files.getAttribute(directory.resolve("1"), "unix:ino"), "it was true");
    begin(new JobId(44), "SLURM_JOB_GPUS", "1");
    renew();
    assertEquals(Map.of("0", "44\n", "1", "42\n"), files());
    Files.delete(directory.resolve("0"));
    renew();
    assertEquals(Map.of("0", "44\n", "1", "42\n"), files());
  }

  @Test
  void filesOfOthersAreLeftAlone() throws IOException {
    Files.writeString(directory.resolve("5"), "1\n");
    Files.createDirectory(directory.resolve("6"));
    begin(JOB, "SLURM_JOB_GPUS", "0");
    begin(new JobId(43), "SLURM_JOB_GPUS", "1");
    renew();
    Files.writeString(directory.resolve("0"), "44\n"); // as a prolog would
    Files.createSymbolicLink(directory.resolve("7"), directory.resolve("1"));
    jobs.end(JOB, Duration.ZERO);
    StageHealth health = renew(GpuFileForm.DCGM);
    assertEquals(
        "something else writes " + directory.resolve("0") + ": they are left alone",
        health.detail());
    assertFalse(health.well());
    jobs.end(new JobId(43), Duration.ZERO);
    renew();
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(
          List.of("0", "5", "6", "7"),
          left.map(it -> String.valueOf(it.getFileName())).sorted().toList());
    }
  }

  @Test
  void filesStayWhileItIsNotKnownWhichJobsAreHere() throws IOException {
    begin(JOB, "SLURM_JOB_GPUS", "0");
    renew();
    jobs.end(JOB, Duration.ZERO);
    jobs.unknown(Optional.of("the spool directory cannot be read"));
    renew();
    assertEquals(Map.of("1", "42\n"), files());
    jobs.unknown(Optional.empty());
    renew();
    assertEquals(Map.of(), files());
  }

  @Test
  void aDirectoryThatIsMissingIsNamed() throws IOException {
    begin(JOB, "SLURM_JOB_GPUS", "0");
    Files.delete(directory);
    StageHealth health = renew(GpuFileForm.DCGM);
    assertFalse(health.well() || health.needed());
    assertEquals(
        "directory " + directory + " of job files of GPUs does not exist: make it",
        health.detail());
    Files.createDirectory(directory);
    renew();
    assertEquals(Map.of("1", "42\n"), files());
  }

  @Test
  @Tag("root")
  void aFullDiskIsNamedAndLeavesTheOldText() throws Exception {
    try (SmallDisk disk = SmallDisk.over(directory)) {
      begin(JOB, "SLURM_JOB_GPUS", "0");
      renew();
      disk.fill();
      begin(new JobId(43), "SLURM_JOB_GPUS", "0");
      StageHealth health = renew(GpuFileForm.DCGM);
      assertTrue(health.detail().contains("No space left on device"), health.detail());
      assertEquals("42\n", Files.readString(directory.resolve("1")));
      assertFalse(Files.exists(directory.resolve(".rollcall.new")));
      disk.empty();
      renew();
      assertEquals("42\n43\n", Files.readString(directory.resolve("1")));
    }
  }
}
