package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.journal.JobJournal;
import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.cgroup.CgroupMounts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An agent whose state directory is full: a tmpfs of 64 KiB in a mount namespace of its own. */
@Tag("root")
class FullDiskTest {
  private static ChildJvm onSmallDisk(Rig rig) {
    return new ChildJvm(
        rig,
        List.of(
            "unshare",
            "--mount",
            "sh",
            "-c",
            "mount -t tmpfs -o size=64k,mode=700 rollcall-test \"$0\" && exec \"$@\"",
            rig.state.toString()));
  }

  /** The page that the last line is in has room for some more. Returns the first job without. */
  private static int fillTheLastPage(ChildJvm child) {
    int job = 10;
    while (child.ask("begin " + job + " 1001").startsWith("Begun") && job < 200) {
      job++;
    }
    return job;
  }

  @OnEachHierarchy
  void nothingBeginsAndEverythingElseGoesOn(Choice choice) throws Exception {
    try (Rig rig = new Rig(choice)) {
      rig.jobs().close();
      ChildJvm child = onSmallDisk(rig);
      assertTrue(child.ask("begin 1 1001").startsWith("Begun"));
      assertTrue(child.ask("begin 2 1001").startsWith("Begun"));
      Process inside = rig.run("sleep", "600");
      assertTrue(child.ask("adopt 1 " + inside.pid() + " 1001").startsWith("Adopted"));
      assertEquals("No space left on device", child.ask("fill 1"));
      int job = 1 + fillTheLastPage(child);
      String answer = child.ask("begin " + job + " 1001");
      assertEquals(
          "Refused[reason=job %d: journal %s: No space left on device]"
              .formatted(job, journal(rig)),
          answer);
      assertEquals(List.of(), rig.directories(job), "nothing half-made");
      for (int session = 0; session < 100; session++) {
        Process process = rig.run("sleep", "600");
        assertTrue(child.ask("adopt 2 " + process.pid() + " 1001").startsWith("Adopted"));
      }
      assertTrue(child.ask("step 2").startsWith("Made"));
      assertEquals("Clean[killed=1]", child.ask("end 1"));
      assertEquals("Clean[killed=100]", child.ask("end 2"));
      assertEquals(List.of(), rig.directories(1));
      assertEquals(List.of(), rig.pids());
      child.kill();
      rig.reopen(Rig.BOOT);
    }
  }

  @Test
  @Tag("v1")
  void aChangeThatTheJournalCannotTakeHasNoEffect() throws Exception {
    try (Rig rig = new Rig(Choice.V1)) {
      rig.jobs().close();
      ChildJvm child = onSmallDisk(rig);
      assertTrue(child.ask("begin 1 1001").startsWith("Begun"));
      child.ask("fill 1");
      fillTheLastPage(child);
      // A change is a shorter line than a begin.
      int page = 4_096;
      long limit = 100L * page * page;
      while (child.ask("memory 1 " + (limit + page)).startsWith("Changed")) {
        limit += page;
      }
      assertEquals(
          "Refused[reason=limits of job 1: journal %s: No space left on device]"
              .formatted(journal(rig)),
          child.ask("memory 1 " + (limit + page)));
      Path hierarchy = CgroupMounts.read(Path.of("/proc")).v1("memory").orElseThrow().point();
      Path job = rig.roots.getFirst().path().getFileName().resolve("rollcall.scope/job_1");
      Path file = hierarchy.resolve(job).resolve("memory.limit_in_bytes");
      assertEquals(Long.toString(limit), Files.readString(file).strip());
      child.kill();
      rig.reopen(Rig.BOOT);
    }
  }

  private static Path journal(Rig rig) {
    return rig.state.resolve(JobJournal.FILE);
  }
}
