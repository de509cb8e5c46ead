package dev.rollcall.jobs.own;

import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.model.CgroupIds;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Jobs.StepResult;
import dev.rollcall.port.PinnedProcess;
import dev.rollcall.port.SessionPlace;
import dev.rollcall.testkit.jobs.JobsContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** The contract on this machine's kernel. */
@Tag("root")
abstract class NativeJobsContract extends JobsContract {
  private final Rig rig;

  NativeJobsContract(Choice choice) {
    rig = new Rig(choice);
  }

  @AfterEach
  void leaveNothing() {
    rig.close();
  }

  @Override
  protected Jobs jobs() {
    return rig.jobs();
  }

  @Override
  protected PinnedProcess start() {
    return rig.sleeper();
  }

  @Override
  protected void finish(PinnedProcess process) {
    rig.finish(process);
  }

  @Override
  protected CgroupIds cgroupsOf(PinnedProcess process) {
    return rig.cgroupsOf(process.ref().pid());
  }

  @Override
  protected boolean limits() {
    return rig.limits();
  }

  @Override
  protected void moveItself(PinnedProcess process, SessionPlace place, String leaf) {
    Rig.moveItself(process.ref().pid(), place, leaf);
  }

  @Override
  protected void enter(PinnedProcess process, StepResult.Made step) {
    for (Path file : step.procsFiles()) {
      try {
        Files.writeString(file, Integer.toString(process.ref().pid()), StandardOpenOption.WRITE);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
