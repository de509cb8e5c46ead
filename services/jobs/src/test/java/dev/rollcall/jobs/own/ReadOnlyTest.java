package dev.rollcall.jobs.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.tree.TreeConfig.Choice;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** An agent whose cgroup mount becomes read-only, in a mount namespace of its own. */
@Tag("root")
class ReadOnlyTest {
  @OnEachHierarchy
  void nothingBeginsAndWhatRunsStays(Choice choice) throws Exception {
    try (Rig rig = new Rig(choice)) {
      rig.jobs().close();
      ChildJvm child = new ChildJvm(rig, List.of("unshare", "--mount"));
      assertTrue(child.ask("begin 1 1001").startsWith("Begun"));
      assertEquals("0", child.ask("readonly 1"));
      String refused = child.ask("begin 2 1001");
      assertTrue(refused.startsWith("Refused[reason=job 2: " + rig.roots.getFirst()), refused);
      assertTrue(refused.endsWith(": Read-only file system]"), refused);
      assertEquals(List.of(), rig.directories(2), "nothing half-made");
      Process outside = rig.run("sleep", "600");
      String failed = child.ask("adopt 1 " + outside.pid() + " 1001");
      assertTrue(failed.startsWith("Failed[reason="), failed);
      assertTrue(failed.contains("Read-only file system"), failed);
      assertEquals(List.of(), rig.pids());
      child.kill();
      rig.reopen(Rig.BOOT);
      assertEquals(1, rig.jobs().list().size());
    }
  }
}
