package dev.rollcall.linux.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.linux.cgroup.LimitAlarm.Hit;
import dev.rollcall.model.JobId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LimitAlarmTest {
  private static final JobId ONE = new JobId(1);
  private static final JobId OTHER = new JobId(2);
  private static final Duration LONG = Duration.ofSeconds(20);

  @TempDir private Path directory;
  private LimitAlarm alarm;

  @BeforeEach
  void open() throws IOException {
    alarm = LimitAlarm.open();
  }

  @AfterEach
  void close() {
    alarm.close();
  }

  /** A cgroup that has these files. */
  private CgroupDirectory cgroup(String name, String... files) throws IOException {
    Path made = Files.createDirectories(directory.resolve(name));
    for (String file : files) {
      Files.writeString(made.resolve(file), "");
    }
    return new CgroupDirectory(made);
  }

  /** Counts, as the kernel does. */
  private static void count(CgroupDirectory cgroup, String file) throws IOException {
    Files.writeString(cgroup.path().resolve(file), "max 1\n", StandardOpenOption.APPEND);
  }

  @Test
  void tellsAllJobsThatWereHitTogether() throws IOException {
    CgroupDirectory one = cgroup("one", "memory.events", "pids.events");
    CgroupDirectory other = cgroup("other", "memory.events", "pids.events");
    alarm.add(ONE, one);
    alarm.add(OTHER, other);
    alarm.add(new JobId(3), cgroup("third", "memory.events", "pids.events"));
    count(one, "memory.events");
    count(other, "pids.events");
    assertEquals(Optional.of(new Hit(Set.of(ONE, OTHER), Set.of())), alarm.await());
  }

  @Test
  void watchesNothingOfAJobThatIsRemoved() throws IOException {
    CgroupDirectory one = cgroup("one", "memory.events");
    CgroupDirectory other = cgroup("other", "memory.events");
    alarm.add(ONE, one);
    alarm.add(OTHER, other);
    alarm.remove(ONE);
    assertEquals(1, alarm.watches());
    count(one, "memory.events");
    count(other, "memory.events");
    assertEquals(Optional.of(new Hit(Set.of(OTHER), Set.of())), alarm.await());
  }

  /** A user logs in to a job as often as cgroups are left for it: thousands of times. */
  @Test
  void watchesABoundedNumberOfFilesOfAJobItsOwnAmongThem() throws IOException {
    CgroupDirectory one = cgroup("one", "memory.events", "pids.events");
    CgroupDirectory other = cgroup("other", "memory.events", "pids.events");
    alarm.add(ONE, one);
    for (int session = 0; session < 100; session++) {
      alarm.add(ONE, cgroup("one/session_" + session, "memory.events", "pids.events"));
    }
    assertEquals(LimitAlarm.MOST_OF_A_JOB, alarm.watches());
    alarm.add(OTHER, other);
    assertEquals(LimitAlarm.MOST_OF_A_JOB + 2, alarm.watches());
    count(one, "memory.events");
    count(other, "pids.events");
    assertEquals(Optional.of(new Hit(Set.of(ONE, OTHER), Set.of())), alarm.await());
    alarm.remove(one.child("session_0"));
    alarm.add(ONE, one.child("session_99"));
    assertEquals(LimitAlarm.MOST_OF_A_JOB + 2, alarm.watches());
  }

  @Test
  @Tag("root")
  void anOomOfV1IsToldOfTheJobThatIsShortOfMemoryAlone() throws Exception {
    CgroupMount mount = CgroupMounts.read(Path.of("/proc")).v1("memory").orElseThrow();
    String name = "rollcall-jobs-test-alarm-" + ProcessHandle.current().pid();
    CgroupDirectory top = new CgroupDirectory(mount.point().resolve(name));
    top.create();
    try {
      CgroupDirectory one = top.child("one");
      CgroupDirectory other = top.child("other");
      one.create();
      other.create();
      one.write("memory.limit_in_bytes", Integer.toString(16 << 20));
      alarm.addOom(ONE, one);
      alarm.addOom(OTHER, other);
      Process greedy =
          new ProcessBuilder(
                  "sh",
                  "-c",
                  "echo $$ > \"$0\" && exec perl -e '$x = \"x\" x (64 << 20)'",
                  one.path().resolve("cgroup.procs").toString())
              .inheritIO()
              .start();
      assertEquals(Optional.of(new Hit(Set.of(), Set.of(ONE))), alarm.await());
      assertEquals(137, greedy.waitFor(), "128 + SIGKILL");
    } finally {
      assertEquals(
          new CgroupRemoval.Outcome.Removed(), CgroupRemoval.remove(top, BoundedWait.of(LONG)));
    }
  }
}
