package dev.rollcall.jobs.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.jobs.tree.TreeConfig;
import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With plain directories in the place of cgroups. */
@Tag("root")
class RemainsTest {
  private static final JobStep EXTERN = new JobStep(new JobId(42), StepId.EXTERN);

  @TempDir private Path temp;
  private JobTree tree;

  @BeforeEach
  void mount() throws IOException {
    Path proc = temp.resolve("proc");
    Files.createDirectories(proc.resolve("self"));
    Files.writeString(
        proc.resolve("self/mountinfo"),
        "37 31 0:34 / %1$s/freezer rw - cgroup cgroup rw,freezer\n".formatted(temp)
            + "35 31 0:32 / %1$s/pids rw - cgroup cgroup rw,pids\n".formatted(temp));
    tree = JobTree.open(new TreeConfig(Optional.empty(), Choice.V1, proc));
  }

  private Remains remains() {
    return new Remains(tree);
  }

  private void leaf(String name, int refused) throws IOException {
    for (var hierarchy : tree.hierarchies()) {
      Path leaf = Files.createDirectories(hierarchy.leaf(EXTERN, name).path());
      if (hierarchy.mount().controllers().contains("pids")) {
        Files.writeString(leaf.resolve("pids.events"), "max " + refused + "\n");
      }
    }
  }

  private void remove(String name) throws IOException {
    for (var hierarchy : tree.hierarchies()) {
      Path leaf = hierarchy.leaf(EXTERN, name).path();
      Files.deleteIfExists(leaf.resolve("pids.events"));
      Files.delete(leaf);
    }
  }

  private long refused() {
    return remains().of(EXTERN).pidsRefused();
  }

  @Test
  void leavesThatAreNotedTogetherAreCountedAsEachIsRemoved() throws IOException {
    leaf("session_1", 5);
    leaf("session_2", 30);
    remains().keep(EXTERN, "session_1");
    remains().keep(EXTERN, "session_2");
    assertEquals(0, refused(), "both are there");
    remove("session_1");
    assertEquals(5, refused());
    leaf("session_3", 400);
    remains().keep(EXTERN, "session_3");
    assertEquals(5, refused());
    remove("session_3");
    remove("session_2");
    assertEquals(435, refused());
  }

  @Test
  void aLeafThatIsNotedAgainIsCountedOnce() throws IOException {
    leaf("session_1", 5);
    leaf("session_2", 30);
    remains().keep(EXTERN, "session_1");
    remains().keep(EXTERN, "session_2");
    remains().keep(EXTERN, "session_1");
    remove("session_1");
    remove("session_2");
    assertEquals(35, refused());
  }

  @Test
  void noCountIsLostOfMoreLeavesThanHaveTheirNamesNoted() throws IOException {
    int leaves = 200;
    for (int each = 1; each <= leaves; each++) {
      leaf("session_" + each, 1);
      remains().keep(EXTERN, "session_" + each);
    }
    for (int each = 1; each <= leaves; each++) {
      remove("session_" + each);
    }
    assertEquals(leaves, refused());
  }

  /** Under it all cgroups of a job are read, of which users make thousands. */
  @Test
  void theLockOfOneJobKeepsNoOtherJobWaiting() throws InterruptedException {
    Remains all = remains();
    all.lock(EXTERN.job()).lock();
    var other = new CountDownLatch(1);
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          all.lock(new JobId(43)).lock();
          other.countDown();
        });
    assertTrue(other.await(30, TimeUnit.SECONDS));
    assertSame(all.lock(EXTERN.job()), all.lock(EXTERN.job()));
  }
}
