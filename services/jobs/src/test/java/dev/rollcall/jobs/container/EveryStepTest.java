package dev.rollcall.jobs.container;

import static dev.rollcall.jobs.container.ContainerRig.ALICE;
import static dev.rollcall.jobs.container.ContainerRig.job;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.NamespaceType;
import dev.rollcall.testkit.count.Counts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left when a container's beginning or end stops at any of its steps. */
@Tag("root")
class EveryStepTest {
  private static final int MOST = 100;
  private static final Set<String> MOMENTS =
      Set.of(
          "write the maps", "pin the namespaces", "pin the copied mounts", "let the program go on");

  /**
   * @param more whether jobs have a user and a pid namespace
   */
  private static ContainerRig rig(boolean more) {
    return more
        ? MoreNamespacesTest.with(NamespaceType.USER, NamespaceType.PID)
        : new ContainerRig();
  }

  /** The steps of a whole life. */
  private static List<String> steps(boolean more, boolean ending) throws IOException {
    List<String> steps = new ArrayList<>();
    try (ContainerRig rig = rig(more)) {
      JobContainers containers = rig.open();
      if (!ending) {
        rig.before = steps::add;
      }
      containers.create(job(42), ALICE, ALICE);
      rig.before = ending ? steps::add : _ -> {};
      containers.delete(job(42), ALICE, ALICE);
      rig.awaitEmptyBase();
    }
    assertTrue(steps.size() < MOST, steps::toString);
    return steps;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aBeginningThatFailsLeavesNothing(boolean more) throws IOException {
    int all = steps(more, false).size();
    for (int failing = 0; failing < all; failing++) {
      try (ContainerRig rig = rig(more)) {
        JobContainers containers = rig.open();
        List<String> mounts = rig.mounts();
        int at = failing;
        List<String> seen = new ArrayList<>();
        rig.before =
            step -> {
              seen.add(step);
              if (seen.size() == at + 1) {
                throw new IllegalStateException("the disk is full");
              }
            };
        var failed =
            assertThrows(ContainerException.class, () -> containers.create(job(42), ALICE, ALICE));
        assertEquals(
            "container: " + step(seen.subList(0, at + 1)) + ": the disk is full",
            failed.getMessage());
        assertEquals(mounts, rig.mounts(), seen::toString);
        assertEquals(Set.of(), containers.files(job(42)).keySet());
        rig.awaitEmptyBase();
        rig.awaitNone(() -> !UserNamespacesTest.residents().isEmpty());
        // And nothing is in the way of the next.
        rig.before = _ -> {};
        containers.create(job(42), ALICE, ALICE);
        assertEquals("", rig.inside(42, ALICE, "ls -A /tmp"));
        containers.delete(job(42), ALICE, ALICE);
      }
    }
  }

  /** The last of those seen, or what it is a moment of: all of these are within one step. */
  private static String step(List<String> seen) {
    return seen.stream()
        .filter(name -> name.startsWith("make the namespaces"))
        .filter(_ -> MOMENTS.contains(seen.getLast()))
        .findFirst()
        .orElseGet(seen::getLast);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anEndThatFailsGoesOnLater(boolean more) throws IOException {
    int all = steps(more, true).size();
    for (int failing = 0; failing < all; failing++) {
      try (ContainerRig rig = rig(more)) {
        JobContainers containers = rig.open();
        List<String> mounts = rig.mounts();
        containers.create(job(42), ALICE, ALICE);
        rig.inside(42, ALICE, "touch /tmp/x");
        int at = failing;
        List<String> seen = new ArrayList<>();
        rig.before =
            step -> {
              seen.add(step);
              if (seen.size() == at + 1) {
                throw new IllegalStateException("the disk is full");
              }
            };
        assertThrows(IllegalStateException.class, () -> containers.delete(job(42), ALICE, ALICE));
        containers.delete(job(42), ALICE, ALICE);
        assertEquals(mounts, rig.mounts(), seen::toString);
        rig.awaitEmptyBase();
      }
    }
  }

  /** By SIGKILL before a step, in a JVM of its own. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Tag("host")
  void anAgentThatIsKilledLeavesNothingThatTheNextDoesNotRemove(boolean more) throws Exception {
    int beginning = steps(more, false).size();
    int all = beginning + steps(more, true).size();
    for (int killed : Counts.some("steps before which an agent is killed", all)) {
      try (ContainerRig rig = rig(more)) {
        assertEquals(137, killedBefore(rig, more, killed), "before step " + killed);
        JobContainers next = rig.open();
        next.restore(Set.of());
        // One mount stays, the directory of all of them.
        assertEquals(1, rig.mounts().size(), () -> String.join("\n", mounts(rig)));
        assertEquals(Set.of(), next.files(job(42)).keySet());
        rig.awaitEmptyBase();
        rig.awaitNone(() -> !UserNamespacesTest.residents().isEmpty());
        next.create(job(42), ALICE, ALICE);
        assertEquals("", rig.inside(42, ALICE, "ls -A /tmp"));
        next.delete(job(42), ALICE, ALICE);
      }
    }
    try (ContainerRig rig = rig(more)) {
      assertEquals(0, killedBefore(rig, more, all + 1), "there are no more steps");
    }
  }

  private static List<String> mounts(ContainerRig rig) {
    try {
      return rig.mounts();
    } catch (IOException e) {
      return List.of(e.toString());
    }
  }

  private static int killedBefore(ContainerRig rig, boolean more, int step) throws Exception {
    Process process = new ProcessBuilder(KilledAgent.command(rig, step, more)).inheritIO().start();
    try {
      assertTrue(process.waitFor(30, TimeUnit.SECONDS));
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }
}
