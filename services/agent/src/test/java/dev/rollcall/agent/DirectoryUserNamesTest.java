package dev.rollcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryUserNamesTest {
  @TempDir private Path folder = Path.of("unset");

  private final AtomicLong nanos = new AtomicLong();
  private final Deque<Runnable> asked = new ArrayDeque<>();

  /** The script has the uid in its first argument, and writes it to a file. */
  private DirectoryUserNames names(String script) throws IOException {
    Path log = folder.resolve("asked");
    if (!Files.exists(log)) {
      Files.createFile(log);
    }
    return new DirectoryUserNames(
        List.of("sh", "-c", "echo $1 >>" + log + "\n" + script, "getent"),
        Duration.ofSeconds(20),
        nanos::get,
        asked::add);
  }

  private void lookUp() {
    while (!asked.isEmpty()) {
      asked.remove().run();
    }
  }

  private int lookups() throws IOException {
    return Files.readAllLines(folder.resolve("asked")).size();
  }

  @Test
  void aNameIsThereAfterItsLookupAndNoCallWaits() throws IOException {
    DirectoryUserNames names = names("echo alice:x:$1:100:Alice:/home/alice:/bin/bash");
    assertEquals("", names.of(70_001));
    assertEquals("", names.of(70_001));
    assertEquals(1, asked.size(), "one lookup at a time for a uid");
    lookUp();
    assertEquals("alice", names.of(70_001));
    assertEquals(1, lookups());
  }

  @Test
  void aNameIsAskedForAgainAfterAnHourAndStaysMeanwhile() throws IOException {
    DirectoryUserNames names = names("echo u$(wc -l <" + folder + "/asked):x:$1:1::/:/bin/sh");
    names.of(70_001);
    lookUp();
    nanos.addAndGet(Duration.ofMinutes(59).toNanos());
    assertEquals("u1", names.of(70_001));
    assertTrue(asked.isEmpty());
    nanos.addAndGet(Duration.ofMinutes(2).toNanos());
    assertEquals("u1", names.of(70_001));
    lookUp();
    assertEquals("u2", names.of(70_001));
  }

  @Test
  void aUidWithoutANameIsAskedForAgainAfterTenMinutes() throws IOException {
    DirectoryUserNames names = names("exit 2");
    names.of(70_001);
    lookUp();
    nanos.addAndGet(Duration.ofMinutes(9).toNanos());
    assertEquals("", names.of(70_001));
    assertTrue(asked.isEmpty());
    nanos.addAndGet(Duration.ofMinutes(2).toNanos());
    names.of(70_001);
    lookUp();
    assertEquals(2, lookups());
  }

  @Test
  void aLineOfAnotherUserIsNotTaken() throws IOException {
    for (String line :
        List.of("70001:x:70002:1::/:/bin/sh", "root", "a\\033b:x:70001:1::/:/bin/sh")) {
      DirectoryUserNames names = names("printf '" + line + "\\n'");
      names.of(70_001);
      lookUp();
      assertEquals("", names.of(70_001), line);
    }
  }

  @Test
  void aUidOverTheSignedRangeIsWrittenAsTheKernelDoes() throws IOException {
    DirectoryUserNames names = names("echo big:x:$1:1::/:/bin/sh");
    names.of((int) 4_000_000_000L);
    lookUp();
    assertEquals("big", names.of((int) 4_000_000_000L));
    assertEquals(List.of("4000000000"), Files.readAllLines(folder.resolve("asked")));
  }

  @Test
  void aDirectoryThatDoesNotAnswerIsGivenUpAndItsProcessKilled() throws IOException {
    Path pid = folder.resolve("pid");
    var names =
        new DirectoryUserNames(
            List.of("sh", "-c", "echo $$ >" + pid + "; exec sleep 1000", "getent"),
            Duration.ofSeconds(2),
            nanos::get,
            asked::add);
    names.of(70_001);
    lookUp();
    assertEquals("", names.of(70_001));
    long sleeping = Long.parseLong(Files.readString(pid).strip());
    ProcessHandle.of(sleeping).ifPresent(left -> left.onExit().join());
  }

  @Test
  void aCommandThatDoesNotExistGivesNoName() {
    var names =
        new DirectoryUserNames(
            List.of(folder.resolve("none").toString()),
            Duration.ofSeconds(2),
            nanos::get,
            asked::add);
    names.of(70_001);
    lookUp();
    assertEquals("", names.of(70_001));
  }

  /** A job array of many users does not fill the agent's memory with questions. */
  @Test
  void atMost256UidsWait() throws IOException {
    DirectoryUserNames names = names("exit 2");
    for (int uid = 70_000; uid < 71_000; uid++) {
      names.of(uid);
    }
    assertEquals(256, asked.size());
  }
}
