package dev.rollcall.jobs.container;

import static dev.rollcall.jobs.container.ContainerRig.ALICE;
import static dev.rollcall.jobs.container.ContainerRig.job;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.disk.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A base path, a state directory and a run directory that have no room. */
@Tag("root")
class FullBasePathTest {
  @Test
  void theJobBeginsWhenThereIsRoomAgain() throws IOException {
    try (ContainerRig rig = new ContainerRig();
        SmallDisk disk = SmallDisk.over(rig.base)) {
      JobContainers containers = rig.open();
      disk.fill();
      for (int turn = 0; turn < 2; turn++) {
        var refused =
            assertThrows(ContainerException.class, () -> containers.create(job(42), ALICE, ALICE));
        String said = String.valueOf(refused.getMessage());
        assertTrue(said.contains(rig.base.resolve("42").toString()), said);
        assertTrue(said.contains("No space left on device"), said);
      }
      disk.empty();
      assertEquals(java.util.List.of(), rig.inBase());
      containers.create(job(42), ALICE, ALICE);
      containers.delete(job(42), ALICE, ALICE);
    }
  }

  @Test
  void aBasePathThatCannotBeNotedIsRefusedByItsFile() throws IOException {
    try (ContainerRig rig = new ContainerRig();
        SmallDisk disk = SmallDisk.over(rig.top.resolve("state"))) {
      disk.fill();
      var refused = assertThrows(IOException.class, rig::open);
      assertEquals(
          rig.top.resolve("state/container-base-paths") + ": No space left on device",
          refused.getMessage());
      disk.empty();
      rig.open();
    }
  }

  @Test
  void aRunDirectoryThatIsFullHasTheJobRefusedAndNothingLeft() throws IOException {
    try (ContainerRig rig = new ContainerRig();
        SmallDisk disk = SmallDisk.over(Files.createDirectory(rig.top.resolve("run")))) {
      JobContainers containers = rig.open();
      disk.fill();
      var refused =
          assertThrows(ContainerException.class, () -> containers.create(job(42), ALICE, ALICE));
      String said = String.valueOf(refused.getMessage());
      assertTrue(said.contains(rig.top.resolve("run/containers/42/rules").toString()), said);
      assertTrue(said.contains("No space left on device"), said);
      assertFalse(Files.exists(rig.top.resolve("run/containers/42")));
      disk.empty();
      rig.awaitEmptyBase();
      containers.create(job(42), ALICE, ALICE);
      containers.delete(job(42), ALICE, ALICE);
    }
  }
}
