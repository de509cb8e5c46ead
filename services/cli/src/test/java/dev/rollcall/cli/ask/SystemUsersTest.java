package dev.rollcall.cli.ask;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SystemUsersTest {
  @Test
  void rootIsFoundByNameAndByNumber() {
    var users = new SystemUsers();
    assertEquals(Optional.of(0L), users.find("root").map(Users.User::uid));
    assertEquals("root", users.nameOf(0));
  }

  @Test
  void whomNobodyKnowsKeepsTheNumber() {
    assertEquals("4000000000", new SystemUsers().nameOf((int) 4_000_000_000L));
    assertEquals(Optional.empty(), new SystemUsers().find("no such user"));
  }

  @Test
  void anOptionIsNotAnAnswer() {
    assertEquals(Optional.empty(), new SystemUsers().find("--help"));
  }

  @Test
  void aLineThatIsNotOneOfPasswdIsNobody() {
    assertEquals(Optional.empty(), new SystemUsers(List.of("echo")).find("alice"));
  }
}
