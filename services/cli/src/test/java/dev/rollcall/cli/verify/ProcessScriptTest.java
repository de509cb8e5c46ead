package dev.rollcall.cli.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.cli.ask.TimeLimit;
import dev.rollcall.cli.verify.Comparison.Difference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessScriptTest {
  private static final String STEP =
      """
      @cgroup
      5:freezer:/
      0::/rollcall.scope/job_42/step_0/user/task_0
      @rlimits
      Limit                     Soft Limit           Hard Limit           Units
      Max cpu time              unlimited            unlimited            seconds
      Max open files            1024                 4096                 files
      Max nice priority         0                    0
      oom_score_adj 0
      @devices
      /dev/nvidia0 opens
      @environment
      SLURM_JOB_ID=42
      SLURM_STEP_ID=0
      CUDA_VISIBLE_DEVICES=0
      PATH=/bin
      @groups
      uid 2001
      gids 2001 4000
      @namespaces
      mnt mnt:[4026531841]
      @end
      """;

  private static SortedMap<String, String> part(ProcessView sight, Part part) {
    SortedMap<String, String> found = sight.parts().get(part);
    assertNotNull(found, part.word());
    return found;
  }

  @Test
  void readsEveryPart() {
    ProcessView sight = ProcessScript.read(STEP);
    assertEquals("42", part(sight, Part.CGROUP).get("job"));
    assertEquals(
        Map.of(
            "Max cpu time", "unlimited unlimited",
            "Max open files", "1024 4096",
            "Max nice priority", "0 0",
            "oom_score_adj", "0"),
        part(sight, Part.RLIMITS));
    assertEquals(Map.of("/dev/nvidia0", "opens"), part(sight, Part.DEVICES));
    assertEquals("2001 4000", part(sight, Part.GROUPS).get("gids"));
    assertEquals("mnt:[4026531841]", part(sight, Part.NAMESPACES).get("mnt"));
  }

  @Test
  void saysThatItWasCutOff() {
    assertThrows(
        IllegalArgumentException.class,
        () -> ProcessScript.read(STEP.substring(0, STEP.length() - 6)));
  }

  @Test
  void findsASessionThatSeesTheSameAlike() {
    String session =
        STEP.replace("step_0/user/task_0", "step_extern/user/session_7")
            .replace("SLURM_STEP_ID=0\n", "ROLLCALL_REASON=caller-job\n")
            .replace("PATH=/bin", "PATH=/usr/bin");
    assertEquals(List.of(), Comparison.of(ProcessScript.read(STEP), ProcessScript.read(session)));
  }

  /** Of Slurm 22.05: what is a task's own, and no session's. */
  @Test
  void variablesOfOneTaskAreNotCompared() {
    String task =
        STEP.replace(
            "SLURM_STEP_ID=0\n",
            """
            SLURM_STEP_ID=0
            SLURM_PROCID=0
            SLURM_SRUN_COMM_HOST=10.0.0.1
            SLURM_UMASK=0022
            SLURMD_DEBUG=2
            SLURM_TASK_PID=1
            SLURM_CPU_BIND=quiet
            SLURM_CONF=/etc/slurm/slurm.conf
            """);
    String session = STEP.replace("SLURM_STEP_ID=0\n", "");
    assertEquals(List.of(), Comparison.of(ProcessScript.read(task), ProcessScript.read(session)));
  }

  @Test
  void namesEachDifference() {
    String session =
        STEP.replace("job_42", "job_41")
            .replace("1024 ", "512  ")
            .replace("/dev/nvidia0 opens", "/dev/nvidia0 is refused")
            .replace("CUDA_VISIBLE_DEVICES=0\n", "")
            .replace("2001 4000", "2001")
            .replace("4026531841", "4026531842");
    assertEquals(
        List.of(
            new Difference(Part.CGROUP, "job", "42", "41"),
            new Difference(Part.RLIMITS, "Max open files", "1024 4096", "512 4096"),
            new Difference(Part.DEVICES, "/dev/nvidia0", "opens", "is refused"),
            new Difference(Part.ENVIRONMENT, "CUDA_VISIBLE_DEVICES", "0", ""),
            new Difference(Part.GROUPS, "gids", "2001 4000", "2001"),
            new Difference(Part.NAMESPACES, "mnt", "mnt:[4026531841]", "mnt:[4026531842]")),
        Comparison.of(ProcessScript.read(STEP), ProcessScript.read(session)));
  }

  @Test
  void theScriptSaysAllThatIsRead() throws IOException {
    ProcessView sight = ProcessScript.read(run(List.of("sh", "-c", ProcessScript.SCRIPT)));
    assertEquals("opens", part(sight, Part.DEVICES).get("/dev/null"));
    assertTrue(part(sight, Part.RLIMITS).containsKey("Max open files"));
    assertTrue(part(sight, Part.ENVIRONMENT).containsKey("PATH"));
    ProcessView own = ProcessScript.read(run(lookingAt(ProcessHandle.current().pid())));
    assertEquals(part(sight, Part.CGROUP), part(own, Part.CGROUP));
    assertEquals(part(sight, Part.NAMESPACES), part(own, Part.NAMESPACES));
    assertEquals(part(sight, Part.GROUPS), part(own, Part.GROUPS));
    assertTrue(part(own, Part.RLIMITS).containsKey("Max open files"));
    assertEquals(System.getenv("PATH"), part(own, Part.ENVIRONMENT).get("PATH"));
    assertFalse(own.parts().containsKey(Part.DEVICES));
  }

  @Test
  void aProcessThatHasEndedIsNamed() {
    var e = assertThrows(IOException.class, () -> run(lookingAt(99_999_999)));
    assertTrue(e.getMessage().contains("cannot read /proc/99999999"), e.getMessage());
  }

  private static List<String> lookingAt(long pid) {
    return List.of("env", ProcessScript.PROBED + "=" + pid, "sh", "-c", ProcessScript.SCRIPT);
  }

  private static String run(List<String> words) throws IOException {
    return TimeLimit.run(words, Duration.ofSeconds(30));
  }

  @Test
  void takesTheNarrowestLimitOnTheWayUp(@TempDir Path mount) throws IOException {
    Path leaf = mount.resolve("job_42/step_0/task_0");
    Files.createDirectories(leaf);
    Files.writeString(mount.resolve("job_42/memory.max"), "1000\n");
    Files.writeString(mount.resolve("job_42/step_0/memory.max"), "500\n");
    Files.writeString(leaf.resolve("memory.max"), "max\n");
    Files.writeString(mount.resolve("job_42/cpu.max"), "50000 100000\n");
    Files.writeString(leaf.resolve("cpu.max"), "90000 100000\n");
    Files.writeString(leaf.resolve("cpuset.cpus.effective"), "0-1\n");
    var cgroups = new TreeMap<String, String>();
    cgroups.put("job", "42");
    cgroups.put("path ", "/job_42/step_0/task_0");
    ProcessView sight =
        CgroupLimits.of(List.of("cgroup2 " + mount + " cgroup2 rw 0 0"))
            .complete(new ProcessView(Map.of(Part.CGROUP, cgroups)));
    assertEquals(
        Map.of(
            "memory.max", "500",
            "cpu.max", "50000 100000",
            "cpuset.cpus.effective", "0-1"),
        part(sight, Part.LIMITS));
  }
}
