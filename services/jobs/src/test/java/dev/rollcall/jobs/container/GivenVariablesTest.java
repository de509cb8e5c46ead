package dev.rollcall.jobs.container;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.model.allocation.NumberList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The variables of a site's scripts that depend on the job's request. */
class GivenVariablesTest {
  private static Map<String, String> of(Limits limits, Map<String, String> environment) {
    return GivenVariables.of(new Allocation(limits, DeviceRules.OPEN, environment, List.of()));
  }

  private static Limits limits(String cpus, long memory) {
    return new Limits(
        Optional.of(new NumberList(cpus)),
        Optional.empty(),
        OptionalLong.of(memory),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        List.of(),
        Map.of());
  }

  @Test
  void onlySlurmsNamesAreChosen() {
    Map<String, String> slurms =
        Map.of(
            "SLURM_JOB_WORK_DIR", "/home/alice",
            "SLURM_JOB_GRES", "gpu:2",
            "SLURM_NODE_ALIASES", "(null)",
            "SLURM_HET_JOB_ID", "40");
    var given = new java.util.HashMap<>(slurms);
    given.put("LD_PRELOAD", "/home/alice/evil.so");
    given.put("SLURM_JOB_USER", "root");
    assertEquals(slurms, of(Limits.NONE, given));
  }

  @Test
  void cpusAndMemoryFollowFromTheLimits() {
    assertEquals(
        Map.of("SLURM_JOB_CPUS", "5", "SLURM_JOB_MEM", "2048"),
        of(limits("0-3,8", 2L << 30), Map.of()));
  }

  @Test
  void theBatchSystemsOwnNumbersComeFirst() {
    assertEquals(
        Map.of("SLURM_JOB_CPUS", "8", "SLURM_JOB_MEM", "100"),
        of(limits("0-3", 2L << 30), Map.of("SLURM_JOB_CPUS", "8", "SLURM_JOB_MEM", "100")));
  }

  @Test
  void memoryWithoutABoundIsNotGiven() {
    assertEquals(Map.of("SLURM_JOB_CPUS", "1"), of(limits("0", Limits.UNLIMITED), Map.of()));
  }
}
