package dev.rollcall.deploy.hooks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.process.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * HTCondor's directories of jobs, made by a stand-in for condor_starter. The command that the
 * daemon calls is an imitation. HtcondorHooksTest has the real HTCondor.
 */
@Tag("root")
class HtcondorWatchTest {
  private static final int ALICE = 2001;
  private static final Duration WITHIN = Duration.ofSeconds(20);

  @TempDir private Path folder = Path.of("");
  private Path execute = Path.of("");
  private Path asked = Path.of("");

  @BeforeEach
  void layOutAsInstalled() throws IOException {
    execute = Files.createDirectory(folder.resolve("execute"));
    asked = Files.writeString(folder.resolve("asked"), "");
    for (String hook : List.of("report", "number", "htcondor/watch")) {
      Path copy = folder.resolve("lib/hooks").resolve(hook);
      Files.createDirectories(copy.getParent());
      Files.copy(Path.of("hooks").resolve(hook), copy);
      Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    Path command = folder.resolve("bin/rollcall");
    Files.createDirectories(command.getParent());
    Files.writeString(command, "#!/bin/sh\necho \"$*\" >>" + asked + "\n");
    Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Process watch(double pause) throws IOException {
    return watch(pause, "root");
  }

  /** In a mount namespace with a /run of its own. */
  private Process watch(double pause, String user) throws IOException {
    String run = "mount --bind \"$1\" /run; exec lib/hooks/htcondor/watch \"$2\" \"$3\" \"$4\"";
    Files.createDirectories(folder.resolve("run"));
    return new ProcessBuilder(
            "unshare",
            "--mount",
            "sh",
            "-euc",
            run,
            "sh",
            folder.resolve("run").toString(),
            execute.toString(),
            user,
            Double.toString(pause))
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("printed").toFile())
        .start();
  }

  private static void end(Process process) throws InterruptedException {
    process.destroy();
    assertTrue(process.waitFor(10, TimeUnit.SECONDS), "it does not end");
  }

  private Path job(long starter, int owner) throws IOException {
    Path made = Files.createDirectory(execute.resolve("dir_" + starter));
    Files.setAttribute(made, "unix:uid", owner);
    return made;
  }

  private List<String> asked() {
    try {
      return Files.readAllLines(asked);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitAsked(String... lines) {
    Eventually.holds(WITHIN, () -> asked().size() >= lines.length);
    assertEquals(List.of(lines), asked());
  }

  @Test
  void aJobBeginsWithItsOwnerAndEndsWithItsDirectory() throws Exception {
    job(500, 0); // not given to an owner yet
    Files.createSymbolicLink(execute.resolve("dir_600"), job(4711, ALICE));
    Files.createDirectory(execute.resolve("dir_x"));
    Process watch = watch(0.05);
    try {
      awaitAsked("job begin 4711 --uid 2001");
      job(4712, ALICE + 1);
      awaitAsked("job begin 4711 --uid 2001", "job begin 4712 --uid 2002");
      Files.delete(execute.resolve("dir_4711"));
      awaitAsked(
          "job begin 4711 --uid 2001",
          "job begin 4712 --uid 2002",
          "job end --wait 0 4711 --uid 2001");
    } finally {
      end(watch);
    }
  }

  @Test
  void anEndWhileTheDaemonWasAwayIsReportedByTheNextOne() throws Exception {
    Path directory = job(4711, ALICE);
    Process first = watch(0.05);
    try {
      awaitAsked("job begin 4711 --uid 2001");
    } finally {
      end(first);
    }
    Files.delete(directory);
    Process second = watch(0.05);
    try {
      awaitAsked("job begin 4711 --uid 2001", "job end --wait 0 4711 --uid 2001");
    } finally {
      end(second);
    }
  }

  @Test
  void theOwnerOfTheFolderScratchIsTheJobsIfTheDirectoryIsHtcondors() throws Exception {
    Path scratch = Files.createDirectory(job(4711, 0).resolve("scratch"));
    job(4712, ALICE + 1);
    Process watch = watch(0.05);
    try {
      awaitAsked("job begin 4712 --uid 2002"); // the other is not given to an owner yet
      Files.setAttribute(scratch, "unix:uid", ALICE);
      awaitAsked("job begin 4712 --uid 2002", "job begin 4711 --uid 2001");
    } finally {
      end(watch);
    }
  }

  @Test
  void anEndJustBeforeTheDaemonIsStoppedIsReported() throws Exception {
    Path directory = job(4711, ALICE);
    Process watch = watch(3);
    try {
      awaitAsked("job begin 4711 --uid 2001");
      Files.delete(directory);
    } finally {
      end(watch);
    }
    assertEquals(List.of("job begin 4711 --uid 2001", "job end --wait 0 4711 --uid 2001"), asked());
  }

  /** Else every user who makes a directory there has a job. */
  @ParameterizedTest
  @CsvSource({"1777, root", "775, root", "702, root", "755, condor", "755, 0"})
  void doesNotStartWhereOthersMakeDirectories(String mode, String user) throws Exception {
    job(4242, ALICE);
    Files.setAttribute(execute, "unix:mode", 0040000 | Integer.parseInt(mode, 8));
    Process watch = watch(0.05, user);
    try {
      assertTrue(watch.waitFor(10, TimeUnit.SECONDS), "it started");
    } finally {
      end(watch);
    }
    String printed = Files.readString(folder.resolve("printed"));
    String why =
        mode.equals("755")
            ? "belongs to root, not to " + user
            : "has mode " + mode + ": group and others must not write there";
    assertEquals(
        "rollcall: " + execute + " " + why + ": HTCondor's jobs are not reported to the agent\n",
        printed);
    assertEquals(1, watch.exitValue());
    assertEquals(List.of(), asked());
  }
}
