package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.process.Pidfd;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.JobId;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.Jobs.EndOrder;
import dev.rollcall.port.Jobs.EndResult;
import dev.rollcall.testkit.count.Counts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ends of jobs whose processes are traced from elsewhere, and so held on their way out. */
@Tag("root")
class TracedEndTest {
  private static final int TRIES = Counts.of(1, 100);

  /** Traces each thread of a process, asks to be told of its end, and never looks again. */
  private static final String TRACER =
      """
      import ctypes, os, signal, sys
      libc = ctypes.CDLL(None, use_errno=True)
      libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
      libc.prctl(4, 1, 0, 0, 0)
      for thread in os.listdir('/proc/%s/task' % sys.argv[1]):
          if libc.ptrace(0x4206, int(thread), None, 0x40):
              sys.exit(os.strerror(ctypes.get_errno()))
      while True:
          signal.pause()
      """;

  private static void adopt(Rig rig, Process process, long job) {
    try (Pidfd pinned = Rig.pin(process)) {
      assertInstanceOf(AdoptResult.Adopted.class, rig.adopt(pinned, new JobId(job)));
    }
  }

  private static Process as(Rig rig, int uid, String... command) {
    var all = new ArrayList<>(List.of("setpriv", "--reuid=" + uid, "--clear-groups"));
    all.addAll(List.of(command));
    return rig.run(all.toArray(String[]::new));
  }

  private static Process sleeper(Rig rig) {
    Process process = as(rig, 1001, "sleep", "600");
    Rig.await("sleep runs", () -> Rig.PROC.command((int) process.pid()).equals("sleep"));
    return process;
  }

  private static Process traced(Rig rig, int uid, Process by) {
    Process tracer = as(rig, uid, "/usr/bin/python3", "-c", TRACER, Long.toString(by.pid()));
    Rig.await(
        "it is traced", () -> Rig.PROC.tracers((int) by.pid()).equals(Set.of((int) tracer.pid())));
    return tracer;
  }

  @OnEachHierarchy
  void aTracerOfTheSameUserInAnotherJobIsEndedWithWhatItHolds(Choice choice) {
    for (int i = 0; i < TRIES; i++) {
      isEndedWithWhatItHolds(choice);
    }
  }

  private static void isEndedWithWhatItHolds(Choice choice) {
    try (Rig rig = new Rig(choice)) {
      rig.begin(1);
      rig.begin(2);
      Process held = sleeper(rig);
      adopt(rig, held, 1);
      Process tracer = traced(rig, 1001, held);
      // The tracer is held by another one in turn.
      Process second = traced(rig, 1001, tracer);
      adopt(rig, tracer, 2);
      adopt(rig, second, 2);
      EndResult.Clean clean =
          assertInstanceOf(EndResult.Clean.class, rig.jobs().end(new JobId(1), Rig.LONG));
      assertEquals(1, clean.killed());
      Rig.await("the tracers end", () -> !tracer.isAlive() && !second.isAlive());
      rig.begin(1);
    }
  }

  /** What a tracer does when it has the process, in place of the wait. */
  private static Process thatBecomes(Rig rig, int uid, Process held, String what, String... words) {
    var all =
        new ArrayList<>(List.of("/usr/bin/python3", "-c", TRACER.replace("while True", what)));
    all.add(Long.toString(held.pid()));
    all.addAll(List.of(words));
    Process tracer = as(rig, uid, all.toArray(String[]::new));
    Rig.await(
        "it is traced",
        () -> Rig.PROC.tracers((int) held.pid()).equals(Set.of((int) tracer.pid())));
    return tracer;
  }

  private static void endsWithItsTracer(Rig rig, Process tracer) {
    assertEquals(new EndResult.Clean(1), rig.jobs().end(new JobId(1), Rig.LONG));
    Rig.await("the tracer ends", () -> !tracer.isAlive());
    rig.begin(1);
  }

  private static int realUid(Process process) {
    return Rig.PROC.status((int) process.pid()).orElseThrow().realUid();
  }

  private static int effectiveUid(Process process) {
    return Rig.PROC.status((int) process.pid()).orElseThrow().effectiveUid();
  }

  @OnEachHierarchy
  void aTracerThatBecameASetuidProgramIsEnded(Choice choice) throws IOException {
    Path directory = Files.createTempDirectory("rollcall-setuid");
    Path program = Files.copy(Path.of("/bin/sleep"), directory.resolve("sleep"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setAttribute(program, "unix:mode", 04755);
    try (Rig rig = new Rig(choice)) {
      rig.begin(1);
      Process held = sleeper(rig);
      adopt(rig, held, 1);
      String exec = "os.execv(sys.argv[2], ['sleep', '600'])\nwhile True";
      Process tracer = thatBecomes(rig, Rig.ALICE, held, exec, program.toString());
      Rig.await("it is root", () -> effectiveUid(tracer) == 0);
      assertEquals(Rig.ALICE, realUid(tracer));
      endsWithItsTracer(rig, tracer);
    } finally {
      Files.delete(program);
      Files.delete(directory);
    }
  }

  @OnEachHierarchy
  void aTracerWithASubordinateUidInAUserNamespaceIsEnded(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      rig.begin(1);
      Process held = sleeper(rig);
      adopt(rig, held, 1);
      String namespace =
          """
          libc.unshare(0x10000000)
          sys.stdin.readline()
          os.setresuid(5, 5, 5)
          while True\
          """;
      Process tracer = thatBecomes(rig, Rig.ALICE, held, namespace);
      Path namespaces = Path.of("/proc", Long.toString(tracer.pid()), "ns/user");
      Path ours = Files.readSymbolicLink(Path.of("/proc/self/ns/user"));
      Rig.await("it has a user namespace", () -> !isSame(namespaces, ours));
      Files.writeString(
          Path.of("/proc", Long.toString(tracer.pid()), "uid_map"),
          "0 " + Rig.ALICE + " 1\n1 " + Rig.SUBORDINATE + " 65536\n");
      tracer.outputWriter().append("go on\n").flush();
      Rig.await("it is subordinate", () -> realUid(tracer) == Rig.SUBORDINATE + 4);
      endsWithItsTracer(rig, tracer);
    }
  }

  private static boolean isSame(Path link, Path target) {
    try {
      return Files.readSymbolicLink(link).equals(target);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As sudo does before it asks for a password. */
  @OnEachHierarchy
  void aTracerThatIsRootWhollyIsEndedInAJobOfTheSameOwner(Choice choice) {
    try (Rig rig = new Rig(choice)) {
      rig.begin(1);
      rig.begin(2);
      Process held = sleeper(rig);
      adopt(rig, held, 1);
      Process tracer = traced(rig, 0, held);
      adopt(rig, tracer, 2);
      endsWithItsTracer(rig, tracer);
    }
  }

  @OnEachHierarchy
  void aTracerOfAnotherUserIsNamedAndLeftAlone(Choice choice) throws IOException {
    try (Rig rig = new Rig(choice)) {
      rig.begin(1);
      Process held = sleeper(rig);
      adopt(rig, held, 1);
      Process tracer = traced(rig, 0, held);
      EndOrder order = new EndOrder("", Duration.ZERO, Duration.ofSeconds(3));
      EndResult.Unclean unclean =
          assertInstanceOf(EndResult.Unclean.class, rig.jobs().end(new JobId(1), order));
      String named = held.pid() + " (sleep, t in ptrace_stop, traced by " + tracer.pid();
      assertTrue(unclean.reason().contains(named), unclean.reason());
      assertEquals(0, unclean.killed());
      assertTrue(tracer.isAlive());
      tracer.destroyForcibly();
      Rig.await(
          "ended by the sweep",
          () -> {
            rig.jobs().reap();
            return rig.jobs().list().isEmpty();
          });
    }
  }

  /** A process that has this name, as status has it. */
  private static final String NAMED =
      """
      import ctypes, signal, sys
      ctypes.CDLL(None).prctl(15, sys.argv[1].encode().decode('unicode_escape').encode(), 0, 0, 0)
      while True:
          signal.pause()
      """;

  /** The kernel leaves a carriage return in a name. It begins no line. */
  @ParameterizedTest
  @CsvSource({
    "\\rTracerPid:\\t0, \\rTgid:\\t1",
    "\\rTracerPid:0, \\rTgid:0",
    "\\rTracerPid:x, \\rTgid:x",
    "\\rTracerPid:, \\rTgid:"
  })
  void aTracerIsFoundWhateverTheNames(String held, String tracer) throws IOException {
    try (Rig rig = new Rig(Choice.V2)) {
      rig.begin(1);
      Process process = as(rig, 1001, "/usr/bin/python3", "-c", NAMED, held);
      Proc procfs = Rig.PROC;
      Rig.await("it has its name", () -> procfs.command((int) process.pid()).startsWith("Tracer"));
      adopt(rig, process, 1);
      Process by =
          as(
              rig,
              1001,
              "/usr/bin/python3",
              "-c",
              TRACER.replace(
                  "while True",
                  "name = sys.argv[2].encode().decode('unicode_escape').encode()\n"
                      + "libc.prctl(15, name, 0, 0, 0)\nwhile True"),
              Long.toString(process.pid()),
              tracer);
      Rig.await(
          "it is traced",
          () -> Rig.PROC.tracers((int) process.pid()).equals(Set.of((int) by.pid())));
      Rig.await("it has its name", () -> procfs.command((int) by.pid()).startsWith("Tgid"));
      assertInstanceOf(EndResult.Clean.class, rig.jobs().end(new JobId(1), Rig.LONG));
      Rig.await("the tracer ends", () -> !by.isAlive());
    }
  }

  /** A process of two threads, of which the second alone is traced. */
  private static final String TWO_THREADS =
      """
      import signal, threading
      threading.Thread(target=threading.Event().wait, daemon=True).start()
      while True:
          signal.pause()
      """;

  @Test
  void aThreadThatIsNotTheFirstIsFoundAsWell() throws IOException {
    try (Rig rig = new Rig(Choice.V2)) {
      rig.begin(1);
      Process held = as(rig, 1001, "/usr/bin/python3", "-c", TWO_THREADS);
      Path threads = Path.of("/proc/" + held.pid() + "/task");
      Rig.await("two threads", () -> threads.toFile().list().length == 2);
      adopt(rig, held, 1);
      Process tracer =
          as(
              rig,
              1001,
              "/usr/bin/python3",
              "-c",
              TRACER.replace("in os.listdir('/proc/%s/task' % sys.argv[1])", "in sys.argv[1:]"),
              java.util.Arrays.stream(threads.toFile().list())
                  .filter(thread -> !thread.equals(Long.toString(held.pid())))
                  .findFirst()
                  .orElseThrow());
      Rig.await(
          "it is traced",
          () -> Rig.PROC.tracers((int) held.pid()).equals(Set.of((int) tracer.pid())));
      assertInstanceOf(EndResult.Clean.class, rig.jobs().end(new JobId(1), Rig.LONG));
      Rig.await("the tracer ends", () -> !tracer.isAlive());
    }
  }

  @Test
  void aProcessThatLeftForAnotherJobIsNotCountedAsEnded() throws IOException {
    try (Rig rig = new Rig(Choice.V2)) {
      rig.begin(1);
      rig.begin(2);
      Process leaving = rig.shellThatHas("trap '' TERM", "read never");
      adopt(rig, leaving, 1);
      EndOrder order = new EndOrder("", Duration.ofMinutes(5), Duration.ofMillis(300));
      assertInstanceOf(EndResult.Unclean.class, rig.jobs().end(new JobId(1), order));
      var elsewhere = rig.job(2).child("step_extern").child("user").child("root");
      elsewhere.create();
      elsewhere.add((int) leaving.pid());
      assertEquals(new EndResult.Clean(0), rig.jobs().end(new JobId(1), Rig.LONG));
      assertTrue(leaving.isAlive());
    }
  }
}
