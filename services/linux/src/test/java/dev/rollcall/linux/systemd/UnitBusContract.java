package dev.rollcall.linux.systemd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.Xattr;
import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.systemd.UnitBus.NewScope;
import dev.rollcall.linux.systemd.UnitBus.Reply;
import dev.rollcall.linux.systemd.UnitBus.UnitState;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What holds for systemd, and for what stands in for it in other tests. */
abstract class UnitBusContract {
  private static final SliceName SLICE = new SliceName("rollcallcontract-jobs.slice");

  abstract UnitBus bus();

  /** A process that systemd can see, by the pid it has for systemd. */
  abstract int process() throws IOException;

  /** The directory of systemd's root cgroup, as this machine sees it. */
  abstract CgroupDirectory top();

  @Test
  void aScopeIsAcceptedAndSoonDelegatedWithItsProcessInIt() throws IOException {
    Reply reply = bus().start(new NewScope("one.scope", SLICE, process()));

    var accepted = assertInstanceOf(Reply.Accepted.class, reply);
    assertTrue(accepted.job().startsWith("/org/freedesktop/systemd1/job/"), accepted.job());
    CgroupDirectory scope =
        new CgroupDirectory(top().path().resolve(SLICE.path()).resolve("one.scope"));
    BoundedWait patience = BoundedWait.of(Duration.ofSeconds(20));
    while (scope.pids().size() != 1 && patience.pause()) {
      assertTrue(scope.pids().size() < 2);
    }
    assertEquals(1, scope.pids().size());
    assertEquals(Optional.of("1"), Xattr.get(scope.path(), "trusted.delegate"));
    assertEquals(
        Optional.of(
            new UnitState(
                "active", "/rollcallcontract.slice/rollcallcontract-jobs.slice/one.scope")),
        bus().find("one.scope"));
  }

  @Test
  void aNameThatIsTakenIsNotGivenAgain() throws IOException {
    assertInstanceOf(
        Reply.Accepted.class, bus().start(new NewScope("two.scope", SLICE, process())));

    Reply again = bus().start(new NewScope("two.scope", SLICE, process()));

    String message = assertInstanceOf(Reply.Exists.class, again).message();
    assertTrue(message.contains("two.scope"), message);
  }

  @Test
  void aProcessThatIsNotThereIsRefused() throws IOException {
    Reply reply = bus().start(new NewScope("three.scope", SLICE, 4_000_000));

    String message = assertInstanceOf(Reply.Refused.class, reply).message();
    assertTrue(message.contains("4000000"), message);
  }

  @Test
  void aUnitThatNobodyMadeIsNotFoundNorForgotten() throws IOException {
    assertEquals(Optional.empty(), bus().find("nobodys.scope"));
    var e = assertThrows(IOException.class, () -> bus().resetFailed("nobodys.scope"));
    assertTrue(e.toString().contains("nobodys.scope"), e.toString());
  }
}
