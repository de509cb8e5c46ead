package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.model.JobId;
import dev.rollcall.model.StepId;
import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.port.Jobs.BeginResult;
import dev.rollcall.port.Jobs.JobSpec;
import dev.rollcall.port.Jobs.StepResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What ends with a process that the kernel kills at a memory limit, in steps of a job. */
@Tag("root")
class OomKillTest {
  private static final JobId JOB = new JobId(42);

  /** It touches more than the job may have. */
  private static final String EAT = "python3 -c 'x = bytearray(256 << 20)'";

  private static final Limits MEMORY =
      new Limits(
          Optional.empty(),
          Optional.empty(),
          OptionalLong.of(64L << 20),
          OptionalLong.empty(),
          OptionalLong.of(0),
          OptionalInt.empty(),
          Optional.empty(),
          OptionalLong.empty(),
          List.of(),
          Map.of());

  /** The first two processes are of one step, the third is of another. */
  @ParameterizedTest
  @EnumSource
  void theStepOrTheJobEndsWhereTheKernelCan(OomKill wanted) throws IOException {
    try (Rig rig = Rig.thatLimits(NativeJobsConfig.Site.OPEN)) {
      var ends = new EndRules(SessionEnd.KEEP, EndSignal.ALL, wanted, Optional.empty());
      rig.reopen(ends);
      assertInstanceOf(
          BeginResult.Begun.class,
          rig.jobs()
              .begin(
                  new JobSpec(
                      JOB,
                      0,
                      0,
                      Instant.now(),
                      new Allocation(MEMORY, DeviceRules.OPEN, Map.of(), List.of()))));
      List<Path> first = step(rig, "0");
      Process beside = in(rig, first, "exec sleep 600");
      Process other = in(rig, step(rig, "1"), "exec sleep 600");
      Process victim = in(rig, first, "exec " + EAT);
      Rig.await("it is killed", () -> !victim.isAlive());
      assertEquals(137, victim.exitValue(), "by SIGKILL");

      boolean can = rig.choice == Choice.V2;
      if (can && wanted != OomKill.PROCESS) {
        Rig.await("its step ends", () -> !beside.isAlive());
      }
      if (can && wanted == OomKill.JOB) {
        Rig.await("its job ends", () -> !other.isAlive());
      }
      assertEquals(!can || wanted == OomKill.PROCESS, beside.isAlive());
      assertEquals(!can || wanted != OomKill.JOB, other.isAlive());
      if (!can) {
        assertTrue(
            rig.roots.stream().noneMatch(it -> Files.exists(it.path().resolve("memory.oom.group"))),
            "v1 has no such file");
      }
    }
  }

  private static List<Path> step(Rig rig, String number) {
    var made =
        assertInstanceOf(
            StepResult.Made.class,
            rig.jobs()
                .beginStep(JOB, Optional.of(new StepId(number)), Limits.NONE, DeviceRules.OPEN));
    return made.procsFiles();
  }

  private static Process in(Rig rig, List<Path> procs, String then) {
    var script = new StringBuilder();
    procs.forEach(file -> script.append("echo $$ >").append(file).append(" && "));
    return rig.shell(script + then);
  }
}
