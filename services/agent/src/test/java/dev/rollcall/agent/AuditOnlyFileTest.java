package dev.rollcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.settings.BadConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AuditOnlyFileTest {
  @TempDir Path directory = Path.of("unset");

  private Path file() {
    return directory.resolve("audit_only.yaml");
  }

  private AuditOnlyFile open() throws BadConfigException {
    return AuditOnlyFile.open(file(), new UserGroups());
  }

  private AuditOnlyFile open(String text) throws IOException, BadConfigException {
    Files.writeString(file(), text);
    return open();
  }

  @Test
  void isForNobodyWhereThereIsNone() throws Exception {
    AuditOnlyFile none = open();
    assertFalse(none.isOn());
    assertFalse(none.mayBlock());
    assertFalse(none.holdsFor(2001, "alice"));
  }

  @Test
  void isForTheWholeNode() throws Exception {
    AuditOnlyFile all = open("node: yes");
    assertTrue(all.isOn());
    assertTrue(all.holdsFor(2001, "alice"));
    assertFalse(all.mayBlock());
  }

  @Test
  void isForUsersByNameAndNumber() throws Exception {
    AuditOnlyFile users = open("users: [alice, +2002, 2003]");
    assertTrue(users.holdsFor(2001, "alice"));
    assertTrue(users.holdsFor(2002, "bob"));
    assertFalse(users.holdsFor(2003, "carol"), "2003 is a name");
    assertTrue(users.holdsFor(2109, "2003"));
    assertFalse(users.holdsFor(2109, "2002"), "+2002 is a number");
    assertFalse(users.mayBlock());
  }

  @Test
  void isForGroupsAsTheNodeKnowsThem() throws Exception {
    for (String group : new String[] {"root", "+0"}) {
      AuditOnlyFile groups = open("groups: [" + group + "]");
      assertTrue(groups.mayBlock());
      assertTrue(groups.holdsFor(0, "root"), group);
      assertFalse(groups.holdsFor(65534, "nobody"), group);
    }
    assertFalse(open("groups: [0]").holdsFor(0, "root"), "0 is a name");
    assertFalse(open("groups: [root]").holdsFor(4711, "a user whom nobody knows"));
  }

  @Test
  void namesTheRuleForAUserWhoIsNotThere() throws Exception {
    assertEquals(Optional.empty(), open().ruleFor(0));
    assertEquals(Optional.of(file() + ": node is yes"), open("node: yes").ruleFor(4711));
    assertEquals(Optional.of(file() + ": users has root"), open("users: [root]").ruleFor(0));
    assertEquals(Optional.of(file() + ": users has +4711"), open("users: [+4711]").ruleFor(4711));
    assertEquals(
        Optional.of(file() + ": groups has root, of which root is"),
        open("groups: [staff, root]").ruleFor(0));
    assertEquals(Optional.empty(), open("users: [root]").ruleFor(65_534));
    var unknown = assertThrows(IOException.class, () -> open("users: [root]").ruleFor(4711));
    assertEquals("groups of user '+4711': id ended with status 1", unknown.getMessage());
  }

  @Test
  void isReadAgainWithoutARestart() throws Exception {
    AuditOnlyFile file = open();
    Files.writeString(file(), "users: [alice]");
    file.renew();
    assertTrue(file.holdsFor(2001, "alice"));
    Files.delete(file());
    file.renew();
    assertFalse(file.isOn());
  }

  @Test
  void staysAsItWasWhileItMakesNoSense() throws Exception {
    AuditOnlyFile file = open("users: [alice]");
    for (String wrong : new String[] {"users: alice", "nodes: yes", "node: perhaps", "[", "7"}) {
      Files.writeString(file(), wrong);
      file.renew();
      assertTrue(file.holdsFor(2001, "alice"), wrong);
      assertFalse(file.holdsFor(2002, "bob"), wrong);
    }
    Files.writeString(file(), "users: [bob]");
    file.renew();
    assertFalse(file.holdsFor(2001, "alice"));
  }

  @Test
  void isRefusedByItsLineAtTheStart() {
    var refused = assertThrows(BadConfigException.class, () -> open("node: no\nuser: [alice]\n"));
    assertEquals(
        file() + " line 2: unknown key 'user'; known are groups, node, users",
        refused.getMessage());
  }
}
