package dev.rollcall.jobs.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import dev.rollcall.model.usage.Incident;
import dev.rollcall.model.usage.Measure;
import dev.rollcall.model.usage.MeasureDepth;
import dev.rollcall.port.Jobs;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class SlurmJobsOnV1Test extends SlurmJobsContract {
  private static final JobId JOB = new JobId(42);

  SlurmJobsOnV1Test() {
    super(SlurmRig.Kind.V1_22_05);
  }

  private List<Incident> heard() {
    List<Incident> heard = new ArrayList<>();
    rig.jobs()
        .listen(
            new Jobs.Listener() {
              @Override
              public void changed(Job job) {}

              @Override
              public void incident(Incident incident) {
                heard.add(incident);
              }
            });
    return heard;
  }

  /** The kernel counts it in the step's cgroup alone, and forgets it with that. */
  @Test
  void anOomKillOfAStepIsToldOnceAndCountsForTheJobAlsoWhenTheStepIsGone() throws Exception {
    List<Incident> heard = heard();
    rig.extern(42);
    CgroupDirectory step = rig.step(42, "0");
    assertEquals(OptionalLong.empty(), kills(), "there may have been some, of a step that is gone");
    step.write("memory.limit_in_bytes", Integer.toString(16 << 20));
    outOfMemory(step);
    var _ = rig.jobs().usage(JOB);
    var _ = rig.jobs().usage(JOB);
    assertEquals(1, heard.size(), heard::toString);
    Incident told = heard.getFirst();
    assertEquals(Incident.Kind.OOM_KILL, told.kind());
    assertEquals(new JobStep(JOB, StepId.of(0)), told.step());
    assertEquals(1, told.times());
    assertEquals(OptionalLong.of(1), kills());
    rig.reopen(false);
    List<Incident> again = heard();
    var _ = rig.jobs().usage(JOB);
    assertEquals(List.of(), again, "the agent before it has told");
    outOfMemory(step);
    var _ = rig.jobs().usage(JOB);
    assertEquals(List.of(1L), again.stream().map(Incident::times).toList());
    Files.delete(step.path());
    assertEquals(OptionalLong.of(2), kills());
  }

  private static void outOfMemory(CgroupDirectory step) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("sh", "-c", "read go; perl -e '$x = \"x\" x (200 << 20)'; :").start();
    step.add((int) process.pid());
    process.getOutputStream().write('\n');
    process.getOutputStream().close();
    assertEquals(0, process.waitFor());
  }

  private OptionalLong kills() {
    List<OptionalLong> kills = new ArrayList<>();
    rig.jobs()
        .measure(
            rig.jobs().list().getFirst(),
            MeasureDepth.JOBS,
            each -> kills.add(each.measures().get(Measure.OOM_KILLS)));
    return kills.getFirst();
  }
}
