package dev.rollcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserNamesTest {
  @TempDir private Path folder = Path.of("unset");

  @Test
  void theFileComesBeforeTheDirectory() throws IOException {
    Path passwd = Files.writeString(folder.resolve("passwd"), "bob:x:1001:1001::/:/bin/sh\n");
    var asked = new ArrayList<Integer>();
    var names =
        new UserNames(
            passwd,
            uid -> {
              asked.add(uid);
              return uid == 70_001 ? "alice" : "";
            });
    assertEquals("bob", names.of(1001));
    assertEquals("alice", names.of(70_001));
    assertEquals("", names.of(70_002));
    assertEquals(List.of(70_001, 70_002), asked);
  }

  @Test
  void aNameInAnotherEncodingHidesNoUser() throws IOException {
    Path passwd = folder.resolve("passwd");
    Files.write(
        passwd,
        "j:x:1000:1000:J\u00fcrgen:/:/bin/sh\nbob:x:1001:1001::/:/bin/sh\n"
            .getBytes(StandardCharsets.ISO_8859_1));
    var names = new UserNames(passwd, _ -> "");
    assertEquals("j", names.of(1000));
    assertEquals("bob", names.of(1001));
  }

  @Test
  void aChangedFileIsReadAgain() throws IOException {
    Path passwd = Files.writeString(folder.resolve("passwd"), "");
    var names = new UserNames(passwd, _ -> "");
    assertEquals("", names.of(1001));
    Files.writeString(passwd, "bob:x:1001:1001::/:/bin/sh\n");
    Files.setLastModifiedTime(passwd, FileTime.fromMillis(1));
    assertEquals("bob", names.of(1001));
    Files.delete(passwd);
    assertEquals("", names.of(1001));
  }
}
