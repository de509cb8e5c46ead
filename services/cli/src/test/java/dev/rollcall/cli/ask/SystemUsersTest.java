package dev.rollcall.cli.ask;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rollcall.cli.exit.CommandFailure;
import dev.rollcall.cli.exit.ExitCode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SystemUsersTest {
  @Test
  void rootIsFoundByNameAndByNumber() {
    var users = new SystemUsers();
    assertEquals(Optional.of(0L), users.named("root").map(Users.User::uid));
    assertEquals("root", users.nameOf(0));
  }

  @Test
  void whomNobodyKnowsKeepsTheNumber() {
    assertEquals("4000000000", new SystemUsers().nameOf((int) 4_000_000_000L));
    assertEquals(Optional.empty(), new SystemUsers().named("no such user"));
  }

  @Test
  void aNumberIsNoName() {
    assertEquals(Optional.empty(), new SystemUsers().named("0"));
    assertEquals(Optional.empty(), new SystemUsers().named("4000000000"));
  }

  @Test
  void anOptionIsNotAnAnswer() {
    assertEquals(Optional.empty(), new SystemUsers().named("--help"));
  }

  /** The first name takes all the time that there is for names; a needed user is an error. */
  @Test
  void aNameServiceThatHangsCostsASecondInAll() {
    var users = new SystemUsers(List.of("sh", "-c", "exec sleep 60"));
    assertEquals("2001", users.nameOf(2001));
    for (int uid = 0; uid < 1_000; uid++) {
      assertEquals(Integer.toString(uid), users.nameOf(uid));
    }
    var failure = assertThrows(CommandFailure.class, () -> users.named("alice"));
    assertEquals(ExitCode.UNAVAILABLE, failure.code());
    assertEquals(
        "the name service (nsswitch.conf) did not answer for user 'alice' within 4 s",
        failure.line());
  }

  @Test
  void aLineThatIsNotOneOfPasswdIsNobody() {
    assertEquals(Optional.empty(), new SystemUsers(List.of("echo")).named("alice"));
  }
}
