package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.journal.JobJournal;
import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobState;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership.InJob;
import dev.rollcall.model.StepId;
import dev.rollcall.port.Jobs.AdoptResult.Adopted;
import dev.rollcall.port.Jobs.EndResult;
import dev.rollcall.port.Jobs.StepResult;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** What the next agent makes of the journal and the cgroup tree. */
@Tag("root")
class RestartTest {
  private static final JobId JOB = new JobId(42);
  private static final JobStep EXTERN = new JobStep(JOB, StepId.EXTERN);

  private static int number(Adopted adopted) {
    return Integer.parseInt(adopted.cgroup().substring(adopted.cgroup().lastIndexOf('_') + 1));
  }

  private static Adopted adopt(Rig rig, Pidfd process) {
    return assertInstanceOf(Adopted.class, rig.adopt(process, JOB));
  }

  @OnEachHierarchy
  void aJobInBothGoesOnWithItsProcessesAndSessionNumbers(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      Job job = rig.begin(42);
      Pidfd process = rig.sleeper();
      int first = number(adopt(rig, process));
      Pidfd gone = rig.sleeper();
      int second = number(adopt(rig, gone));
      rig.finish(gone);
      assertEquals(1, rig.jobs().processes(JOB).size(), "and the second leaf is reaped");
      rig.reopen(Rig.BOOT);
      assertEquals(List.of(job), rig.jobs().list());
      assertEquals(Optional.of(new InJob(EXTERN)), rig.jobs().membershipOf(process.ref()));
      assertEquals(
          Optional.of(new InJob(EXTERN)),
          rig.jobs().membershipOf(rig.cgroupsOf(process.ref().pid())));
      int third = number(adopt(rig, rig.sleeper()));
      assertTrue(first < second && second < third, first + " " + second + " " + third);
      rig.reopen(Rig.BOOT);
      assertTrue(number(adopt(rig, rig.sleeper())) > third);
      assertEquals(new EndResult.Clean(3), rig.jobs().end(JOB, Rig.LONG));
    }
  }

  @OnEachHierarchy
  void stepsGoOnCountingAfterARestart(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      rig.jobs().beginStep(JOB, Optional.empty());
      rig.reopen(Rig.BOOT);
      StepResult.Made made =
          assertInstanceOf(StepResult.Made.class, rig.jobs().beginStep(JOB, Optional.empty()));
      assertEquals(StepId.of(1), made.step().step());
    }
  }

  @OnEachHierarchy
  void aJobWhoseCgroupIsGoneOrWhoseBootIsOverIsClosed(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      rig.begin(43);
      for (CgroupDirectory directory : rig.job(43).tree().reversed()) {
        Files.delete(directory.path());
      }
      rig.reopen(Rig.BOOT);
      assertEquals(List.of(JOB), rig.jobs().list().stream().map(Job::id).toList());
      assertEquals(List.of(), rig.directories(43), "nor in another hierarchy");
      rig.reopen("another-boot");
      assertEquals(List.of(), rig.jobs().list());
      assertEquals(List.of(), rig.directories(42));
      rig.reopen(Rig.BOOT);
      assertEquals(List.of(), rig.jobs().list(), "the journal says so too");
    }
  }

  @OnEachHierarchy
  void anUnknownDirectoryWithoutProcessesIsRemoved(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      rig.job(77).child("step_extern").child("user").child("session_1").create();
      rig.job(77).path().resolveSibling("keep").toFile().mkdir();
      rig.reopen(Rig.BOOT);
      assertEquals(List.of(), rig.jobs().list());
      assertFalse(rig.job(77).exists());
      assertTrue(Files.exists(rig.job(77).path().resolveSibling("keep")), "not a job's name");
    }
  }

  @OnEachHierarchy
  void anUnknownDirectoryWhoseProcessesHaveOneOwnerIsTakenBack(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      Process monitor = rig.run("sleep", "600");
      Process shell =
          rig.run("setpriv", "--reuid=4711", "--regid=4712", "--clear-groups", "sleep", "600");
      Rig.await(
          "the shell has its uid",
          () -> Rig.PROC.status((int) shell.pid()).orElseThrow().realUid() == 4711);
      int last = number(adopt(rig, Rig.pin(monitor)));
      last = Math.max(last, number(adopt(rig, Rig.pin(shell))));
      Files.write(rig.state.resolve(JobJournal.FILE), new byte[0]);
      Instant before = Instant.now();
      rig.reopen(Rig.BOOT);
      Job job = rig.jobs().list().getFirst();
      assertEquals(new Job(JOB, 4711, 4712, job.startedAt(), JobState.OPEN), job);
      assertTrue(job.startedAt().isBefore(before), "as old as its oldest process");
      assertEquals(2, rig.jobs().processes(JOB).size());
      Adopted next =
          assertInstanceOf(Adopted.class, rig.jobs().adopt(rig.sleeper(), JOB, job.uid()));
      assertTrue(number(next) > last);
      rig.reopen(Rig.BOOT);
      assertEquals(List.of(job), rig.jobs().list(), "it is journalled again");
    }
  }

  @OnEachHierarchy
  void anUnknownDirectoryOfSeveralUsersOrOfRootIsEndedAndRemoved(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      for (String uids : List.of("4711 4712", "0")) {
        rig.begin(42);
        for (String uid : uids.split(" ", -1)) {
          Process shell = rig.run("setpriv", "--reuid=" + uid, "--clear-groups", "sleep", "600");
          Rig.await(
              "the shell has its uid",
              () ->
                  Rig.PROC.status((int) shell.pid()).orElseThrow().realUid()
                      == Integer.parseInt(uid));
          adopt(rig, Rig.pin(shell));
        }
        Files.write(rig.state.resolve(JobJournal.FILE), new byte[0]);
        rig.reopen(Rig.BOOT);
        assertEquals(List.of(), rig.jobs().list());
        assertEquals(List.of(), rig.pids());
        assertEquals(List.of(), rig.directories(42));
      }
    }
  }
}
