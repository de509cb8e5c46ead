package dev.rollcall.linux.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.ProcessRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recorded processes. */
class ProcTest {
  @TempDir private Path root;
  private Proc proc;

  @BeforeEach
  void open() {
    proc = new Proc(root);
  }

  private void thread(int pid, int thread, String children) throws IOException {
    Path task = Files.createDirectories(root.resolve(pid + "/task/" + thread));
    Files.writeString(task.resolve("children"), children);
  }

  private void process(int pid, int uid) throws IOException {
    Path process = Files.createDirectory(root.resolve(Integer.toString(pid)));
    Files.writeString(
        process.resolve("status"), "Uid:\t1\t%d\t1\t1\nGid:\t1\t1\t1\t1\n".formatted(uid));
    Files.writeString(
        process.resolve("stat"), pid + " (a) S 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 99 0\n");
  }

  private static List<Integer> pids(int first, int number) {
    return IntStream.range(first, first + number).boxed().toList();
  }

  private void process(int pid, int session, long startTime) throws IOException {
    Path process = Files.createDirectory(root.resolve(Integer.toString(pid)));
    Files.writeString(
        process.resolve("stat"),
        "%d (sshd) S 1 %d %d 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 %d 0\n"
            .formatted(pid, session, session, startTime));
  }

  /** sshd's child that asks by keyboard is later than the connection, and of its session. */
  @Test
  void aSessionIsAsOldAsItsFirstProcess() throws Exception {
    process(5, 5, 100);
    process(6, 5, 700);
    process(7, 8, 700); // the first process has ended
    process(9, 10, 700);
    process(10, 10, 900); // another process has the number of the first one
    long first = seconds(5, 100);
    assertEquals(first, seconds(6, 700));
    assertEquals(first - 6, seconds(7, 700));
    assertEquals(first - 6, seconds(9, 700));
  }

  private long seconds(int pid, long startTime) {
    return Math.round(proc.sessionAge(new ProcessRef(pid, startTime)).toMillis() / 1_000.0);
  }

  /** The kernel's {@code btime} is the time of the boot by the same clock, to the second. */
  @Test
  void aProcessStartedAtTheBootAndItsTicks() throws Exception {
    var own = new Proc(Path.of("/proc"));
    ProcessRef self = own.ref((int) ProcessHandle.current().pid()).orElseThrow();
    long booted =
        Files.readAllLines(Path.of("/proc/stat")).stream()
            .filter(line -> line.startsWith("btime "))
            .mapToLong(line -> Long.parseLong(line.substring("btime ".length())))
            .findFirst()
            .orElseThrow();
    long expected = booted + self.startTime() / 100;
    long difference = Proc.startedAt(self).getEpochSecond() - expected;
    assertTrue(Math.abs(difference) <= 1, "seconds: " + difference);
  }

  @Test
  void whatEachThreadBeganIsBelowAProcessWithWhatThatBegan() throws Exception {
    thread(5, 5, "10 11 ");
    thread(5, 6, "12 ");
    thread(5, 7, "");
    thread(11, 11, "13 ");
    assertEquals(List.of(10, 11, 12, 13), proc.below(5, 100, 100).stream().sorted().toList());
    assertEquals(List.of(), proc.below(10, 100, 100), "it has ended");
  }

  /** Any user can leave so many, as zombies; a heap of 48 MiB has no room for them. */
  @Test
  void ofAHundredThousandChildrenTheFirstAreRead() throws Exception {
    List<Integer> all = pids(4_000_000, 100_000);
    thread(5, 5, all.stream().map(pid -> pid + " ").collect(Collectors.joining()));
    thread(4_000_000, 4_000_000, "9 ");
    for (int most : new int[] {0, 1, 511, 512, 513, 1_000}) {
      assertEquals(all.subList(0, most), proc.below(5, most, 100), most + " of them");
    }
  }

  @Test
  void theChildrenOfSoManyThreadsAreReadAndNoMore() throws Exception {
    for (int thread = 5; thread < 10; thread++) {
      thread(5, thread, thread + 100 + " ");
      thread(thread + 100, thread + 100, thread + 200 + " ");
    }
    assertEquals(10, proc.below(5, 100, 100).size());
    assertEquals(7, proc.below(5, 100, 7).size());
    assertEquals(3, proc.below(5, 100, 3).size());
  }

  @Test
  void processesOfSomeUsersArePassedOnOneByOne() throws Exception {
    for (int pid = 10; pid < 16; pid++) {
      process(pid, pid == 12 ? 0 : 1001);
    }
    Set<Integer> passed = new TreeSet<>();
    proc.forEach(uid -> uid == 1001, passed::add);
    assertEquals(Set.of(10, 11, 13, 14, 15), passed);
    assertEquals(List.of(new ProcessRef(12, 99)), proc.ofUid(0, 5));
    List<ProcessRef> all = proc.ofUid(1001, 5);
    assertEquals(5, all.size());
    assertEquals(all.subList(0, 3), proc.ofUid(1001, 3));
  }
}
