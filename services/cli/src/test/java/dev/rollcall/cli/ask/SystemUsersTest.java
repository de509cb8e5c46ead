package dev.rollcall.cli.ask;

import static org.junit.jupiter.api.Assertions.assertEquals;

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

  @Test
  void aLineThatIsNotOneOfPasswdIsNobody() {
    assertEquals(Optional.empty(), new SystemUsers(List.of("echo")).named("alice"));
  }
}
