package dev.rollcall.agent.series.device;

import static dev.rollcall.model.allocation.DeviceRules.OPEN;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.model.allocation.DeviceRule;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.DeviceRules.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeGpusTest {
  private static final String FIRST = "GPU-b614723c-e261-4605-066e-79daab4c00ff";
  private static final String SECOND = "GPU-e52dfcc4-406d-a3d4-f787-4402b535877a";
  private static final JobDevice NVIDIA0 = JobDevice.gpu("nvidia0", 0, FIRST);
  private static final JobDevice NVIDIA1 = JobDevice.gpu("nvidia1", 1, SECOND);

  @TempDir private Path root;
  private final AtomicLong nanos = new AtomicLong();

  private List<JobDevice> of(Map<String, String> variables, DeviceRules rules) {
    return new NodeGpus(root, nanos::get).known().of(DeviceClaims.of(variables, rules));
  }

  private List<JobDevice> named(String name, String value) {
    return of(Map.of(name, value), OPEN);
  }

  private static DeviceRules allowed(String... rules) {
    return new DeviceRules(Kind.ALLOW_LIST, Stream.of(rules).map(DeviceRule::parse).toList());
  }

  private void twoGpus() throws IOException {
    FakeGpus.nvidia(root, "0000:07:00.0", 0, FIRST);
    FakeGpus.nvidia(root, "0000:0f:00.0", 1, SECOND);
  }

  @Test
  void numbersAndUuidsAreNvidiasGpus() throws IOException {
    twoGpus();
    assertEquals(List.of(NVIDIA1), named("SLURM_JOB_GPUS", "1"));
    assertEquals(List.of(NVIDIA0, NVIDIA1), named("SLURM_JOB_GPUS", "0-1"));
    assertEquals(List.of(NVIDIA1, NVIDIA0), named("CUDA_VISIBLE_DEVICES", "1,0,1"));
    assertEquals(List.of(NVIDIA1), named("CUDA_VISIBLE_DEVICES", SECOND));
    assertEquals(List.of(NVIDIA1), named("CUDA_VISIBLE_DEVICES", "GPU-e52"));
    assertEquals(List.of(JobDevice.unknown("7")), named("SLURM_JOB_GPUS", "7"));
  }

  @Test
  void numbersOfSlurmsThatBeginAtZeroInEachJobSayNothing() throws IOException {
    twoGpus();
    var slurms = Map.of("SLURM_JOB_GPUS", "1", "CUDA_VISIBLE_DEVICES", "0");
    assertEquals(List.of(NVIDIA1), of(slurms, OPEN));
    assertEquals(List.of(), of(Map.of("SLURM_JOB_ID", "5", "CUDA_VISIBLE_DEVICES", "0"), OPEN));
  }

  @Test
  void devicesThatAnOwnJobMayUseComeBeforeItsVariables() throws IOException {
    twoGpus();
    var claimed = Map.of("CUDA_VISIBLE_DEVICES", "0");
    String control = "c 195:255 rw";
    assertEquals(List.of(NVIDIA1), of(claimed, allowed("c 195:1 rw", control, "b 8:1 r")));
    assertEquals(List.of(NVIDIA0), of(claimed, allowed("c 195:* rw", "a *:* r")));
    assertEquals(
        List.of(NVIDIA0),
        of(claimed, new DeviceRules(Kind.DENY_LIST, List.of(DeviceRule.parse("c 195:1 rw")))));
  }

  @Test
  void aMigInstanceIsKnownByItsFileOrAnOldNameAndNotByANumber() throws IOException {
    twoGpus();
    FakeGpus.instance(root, 1, 3, 30);
    FakeGpus.instance(root, 1, 5, 48);
    assertEquals(
        List.of(NVIDIA1.instance(5), NVIDIA1.instance(3)),
        of(Map.of(), allowed("c 195:1 rw", "c 237:48 r", "c 237:49 r", "c 237:30 r")));
    assertEquals(
        List.of(NVIDIA1.instance(5)), named("CUDA_VISIBLE_DEVICES", "MIG-" + SECOND + "/5/0"));
    String uuid = "MIG-ec4c3916-65fa-5948-b9b5-9f21a2ddfcc0";
    assertEquals(
        List.of(JobDevice.unknown(uuid)),
        of(Map.of("SLURM_JOB_GPUS", "1", "CUDA_VISIBLE_DEVICES", uuid), OPEN));
    assertEquals(
        List.of(JobDevice.unknown("1")), named("SLURM_JOB_GPUS", "1"), "it may be an instance");
  }

  @Test
  void otherGpusAreRenderNodes() throws IOException {
    FakeGpus.render(root, 128);
    FakeGpus.render(root, 129);
    JobDevice second = JobDevice.gpu("renderD129", 129, "");
    assertEquals(List.of(second), named("SLURM_JOB_GPUS", "1"));
    assertEquals(List.of(second), named("SLURM_JOB_GPUS", "129"));
    assertEquals(List.of(second), named("ROCR_VISIBLE_DEVICES", "1"));
    assertEquals(List.of(second), of(Map.of(), allowed("c 226:129 rw", "c 226:1 rw")));
  }

  @Test
  void aGpuThatWasNotUsedHasNoUuid() throws IOException {
    FakeGpus.nvidia(root, "0000:07:00.0", 0, "GPU-????????-????-????-????-????????????");
    assertEquals(List.of(JobDevice.gpu("nvidia0", 0, "")), named("SLURM_JOB_GPUS", "0"));
  }

  @Test
  void whatAUserWroteIntoTheVariablesIsBounded() {
    assertEquals(64, named("SLURM_JOB_GPUS", "0-9999").size());
    assertEquals(64, named("SLURM_JOB_GPUS", "0,1,2,3,4,5,".repeat(300) + "6-9999").size());
    for (String nonsense :
        List.of("", ",", "-", "1-", "99999", "-1", "x", "GPU", "9-0", "GPU\n-")) {
      assertEquals(List.of(), named("SLURM_JOB_GPUS", nonsense), nonsense);
    }
  }

  @Test
  void theDriverIsAskedOnceAMinute() throws IOException {
    var gpus = new NodeGpus(root, nanos::get);
    assertEquals(Map.of(), gpus.known().nvidia());
    twoGpus();
    nanos.addAndGet(Duration.ofSeconds(59).toNanos());
    assertEquals(Map.of(), gpus.known().nvidia());
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertEquals(Map.of(0, NVIDIA0, 1, NVIDIA1), gpus.known().nvidia());
  }

  @Test
  void thisNodeCanBeRead() {
    assertEquals(
        OptionalInt.empty(), new NodeGpus(Path.of("/"), nanos::get).known().capabilities());
  }
}
