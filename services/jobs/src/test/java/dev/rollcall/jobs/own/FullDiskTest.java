package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.journal.JobJournal;
import dev.rollcall.jobs.tree.TreeConfig.Choice;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** An agent whose state directory is full: a tmpfs of 64 KiB in a mount namespace of its own. */
@Tag("root")
class FullDiskTest {
  @OnEachHierarchy
  void nothingBeginsAndEverythingElseGoesOn(Choice choice) throws Exception {
    try (Rig rig = new Rig(choice)) {
      rig.jobs().close();
      ChildJvm child =
          new ChildJvm(
              rig,
              List.of(
                  "unshare",
                  "--mount",
                  "sh",
                  "-c",
                  "mount -t tmpfs -o size=64k,mode=700 rollcall-test \"$0\" && exec \"$@\"",
                  rig.state.toString()));
      assertTrue(child.ask("begin 1 1001").startsWith("Begun"));
      assertTrue(child.ask("begin 2 1001").startsWith("Begun"));
      Process inside = rig.run("sleep", "600");
      assertTrue(child.ask("adopt 1 " + inside.pid() + " 1001").startsWith("Adopted"));
      assertEquals("No space left on device", child.ask("fill 1"));
      // The page that the last line is in has room for some more: until it is full.
      int job = 10;
      String answer = child.ask("begin " + job + " 1001");
      while (answer.startsWith("Begun") && job < 200) {
        job++;
        answer = child.ask("begin " + job + " 1001");
      }
      assertEquals(
          "Refused[reason=job %d: journal %s: No space left on device]"
              .formatted(job, rig.state.resolve(JobJournal.FILE)),
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
}
