package dev.rollcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class UserGroupsTest {
  @TempDir private Path directory;

  private UserGroups groups(String script, Duration patience) throws IOException {
    Path id = Files.writeString(directory.resolve("id"), script);
    return new UserGroups(List.of("sh", id.toString()), patience);
  }

  /** More than a pipe holds, and more than 4,096 of them. */
  @Test
  void haveAsManyNamesAsThereAre() throws IOException {
    Set<String> groups =
        groups("seq -f \"$1.group%g\" 1 20000 | tr '\\n' '\\0'", Duration.ofSeconds(30))
            .of("alice");
    assertEquals(40_000, groups.size());
    assertTrue(groups.containsAll(Set.of("+-G.group1", "-Gn.group20000")));
  }

  @Test
  void areNotReadWithoutEnd() throws IOException {
    UserGroups endless = groups("exec tr '\\0' x < /dev/zero", Duration.ofSeconds(30));
    var failed = assertThrows(IOException.class, () -> endless.of("alice"));
    assertEquals("groups of user 'alice': id wrote more than 1048576 bytes", failed.getMessage());
  }

  @Test
  void areNotWaitedForWithoutEnd() throws IOException {
    UserGroups hanging = groups("exec sleep 60", Duration.ofMillis(100));
    var failed = assertThrows(IOException.class, () -> hanging.of("alice"));
    assertEquals("groups of user 'alice': id did not end in 100 ms", failed.getMessage());
  }
}
