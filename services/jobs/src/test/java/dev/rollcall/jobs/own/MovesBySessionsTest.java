package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.tree.OwnMoves;
import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.model.Job;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.Membership.InJob;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.StepId;
import dev.rollcall.model.usage.UsageRecord;
import dev.rollcall.port.Jobs;
import dev.rollcall.port.Jobs.AdoptResult.Adopted;
import dev.rollcall.port.JoinedSession;
import dev.rollcall.port.SessionPlace;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sessions that move themselves into a job, on this machine's kernel. */
@Tag("root")
class MovesBySessionsTest {
  private static final JobId JOB = new JobId(42);
  private static final JobStep EXTERN = new JobStep(JOB, StepId.EXTERN);
  private static final Instant AT = Instant.parse("2026-11-20T12:00:07Z");

  private static String leafOf(ProcessRef process) {
    return "session_" + OwnMoves.numberOf(process);
  }

  private static JoinedSession moved(Rig rig, Pidfd process) {
    SessionPlace place = rig.jobs().sessionPlace(JOB).orElseThrow();
    Rig.moveItself(process.ref().pid(), place, leafOf(process.ref()));
    SessionPlace.Cgroup first = place.cgroups().getFirst();
    return new JoinedSession(
        JOB, process.ref(), first.hierarchy(), first.path() + "/" + leafOf(process.ref()), AT);
  }

  private static List<CgroupDirectory> sessions(Rig rig) throws IOException {
    return rig.job(42).child("step_extern").child("user").children();
  }

  /** The accounts of sessions that are over. */
  private static List<UsageRecord> accounts(Rig rig) {
    List<UsageRecord> accounts = Collections.synchronizedList(new ArrayList<>());
    rig.jobs()
        .listen(
            new Jobs.Listener() {
              @Override
              public void changed(Job job) {}

              @Override
              public void recorded(UsageRecord record) {
                accounts.add(record);
              }
            });
    return accounts;
  }

  @OnEachHierarchy
  void itsAccountBeginsAsItMovedAndIsGivenOnce(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      List<UsageRecord> accounts = accounts(rig);
      Pidfd process = rig.sleeper();
      assertEquals(Optional.of(EXTERN), rig.jobs().joined(moved(rig, process)));
      rig.finish(process);
      rig.jobs().reap();
      assertEquals(List.of(), sessions(rig));
      assertEquals(1, accounts.size());
      assertEquals(AT, accounts.getFirst().began());
      assertEquals(
          OptionalLong.of(OwnMoves.numberOf(process.ref())), accounts.getFirst().session());
    }
  }

  @OnEachHierarchy
  void itsLeafGoesInTheIdlePeriodAfterLogins(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      Pidfd first = rig.sleeper();
      rig.jobs().joined(moved(rig, first));
      rig.finish(first);
      Pidfd second = rig.sleeper();
      rig.jobs().joined(moved(rig, second));
      Rig.await("the first one's leaf is gone", () -> hasLeaf(rig, first.ref()).isEmpty());
      assertTrue(hasLeaf(rig, second.ref()).isPresent());
    }
  }

  private static Optional<CgroupDirectory> hasLeaf(Rig rig, ProcessRef process) {
    return Optional.of(rig.job(42).child("step_extern").child("user").child(leafOf(process)))
        .filter(CgroupDirectory::exists);
  }

  @OnEachHierarchy
  void aLeafThatItsProcessHasNotEnteredYetStays(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      List<UsageRecord> accounts = accounts(rig);
      Pidfd process = rig.sleeper();
      rig.job(42).child("step_extern").child("user").child(leafOf(process.ref())).create();
      rig.jobs().reap();
      rig.jobs().processes(JOB);
      assertTrue(hasLeaf(rig, process.ref()).isPresent());
      assertEquals(List.of(), accounts);
      rig.finish(process);
      rig.jobs().reap();
      assertEquals(List.of(), sessions(rig));
    }
  }

  @OnEachHierarchy
  void theNextAgentGoesOnWithItAndWithItsOwnNumbers(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      rig.begin(42);
      Pidfd own = rig.sleeper();
      rig.adopt(rig.sleeper(), JOB);
      JoinedSession session = moved(rig, own);
      rig.reopen(Rig.BOOT);
      assertEquals(Optional.of(EXTERN), rig.jobs().joined(session));
      assertEquals(Optional.of(EXTERN), rig.jobs().joined(session), "and again");
      assertEquals(
          Optional.of(new InJob(EXTERN)), rig.jobs().membershipOf(rig.cgroupsOf(own.ref().pid())));
      Adopted next = assertInstanceOf(Adopted.class, rig.adopt(rig.sleeper(), JOB));
      long number = Long.parseLong(next.cgroup().replaceFirst(".*session_", ""));
      assertTrue(number > 1 && number < 1L << 32, next.cgroup());
    }
  }

  @Test
  void aNumberNamesItsProcess() {
    var last = new ProcessRef(4_194_303, 7L * 365 * 24 * 3600 * 100);
    for (ProcessRef process : List.of(new ProcessRef(1, 0), new ProcessRef(7, 12), last)) {
      long number = OwnMoves.numberOf(process);
      assertTrue(OwnMoves.isNumber(number));
      assertEquals(Optional.of(process), OwnMoves.processOf(number));
    }
    assertEquals(Optional.empty(), OwnMoves.processOf((1L << 32) - 1));
    assertEquals(Optional.empty(), OwnMoves.processOf(1L << 32));
  }
}
