package dev.rollcall.jobs.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.jobs.tree.TreeConfig.Choice;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.systemd.ScopeName;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On recorded mounts, with plain directories in the place of hierarchies. */
class JobTreeTest {
  @TempDir Path temp;

  private Path mounted(String... lines) throws IOException {
    Path proc = temp.resolve("proc");
    Files.createDirectories(proc.resolve("self"));
    Files.writeString(
        proc.resolve("self/mountinfo"), String.join("\n", lines).replace("@", temp.toString()));
    return proc;
  }

  private Path hybrid() throws IOException {
    return mounted(
        "32 31 0:29 / @/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct",
        "35 31 0:32 / @/memory rw - cgroup cgroup rw,memory",
        "37 31 0:34 / @/freezer rw - cgroup cgroup rw,freezer",
        "41 31 0:38 / @/unified rw - cgroup2 cgroup2 rw");
  }

  private JobTree open(Path proc, Choice choice, Optional<Path> root) throws IOException {
    return JobTree.open(new TreeConfig(root, choice, proc));
  }

  private static List<String> names(JobTree tree) {
    return tree.hierarchies().stream().map(Hierarchy::name).toList();
  }

  @Test
  void aHybridNodeUsesTheHierarchyThatCanLimit() throws IOException {
    Path proc = hybrid();
    assertEquals(
        List.of("freezer", "memory", "cpuacct"), names(open(proc, Choice.AUTO, Optional.empty())));
    Files.createDirectories(temp.resolve("unified"));
    Files.writeString(temp.resolve("unified/cgroup.controllers"), "hugetlb\n");
    assertEquals("freezer", open(proc, Choice.AUTO, Optional.empty()).identity().name());
    Files.writeString(temp.resolve("unified/cgroup.controllers"), "cpu io memory pids\n");
    Files.writeString(temp.resolve("unified/cgroup.subtree_control"), "cpu io memory pids\n");
    JobTree tree = open(proc, Choice.AUTO, Optional.empty());
    assertEquals(List.of(""), names(tree));
    assertEquals("/rollcall.scope", tree.path().root());
    assertTrue(Files.isDirectory(temp.resolve("unified/rollcall.scope")));
  }

  @Test
  void theRootTellsTheHierarchyOfAHybridAndAForcedChoiceIsKept() throws IOException {
    Path proc = hybrid();
    JobTree tree = open(proc, Choice.AUTO, Optional.of(temp.resolve("unified/cluster/node1")));
    assertEquals(List.of(""), names(tree));
    assertEquals(List.of(""), names(open(proc, Choice.V2, Optional.empty())));
    assertEquals(
        List.of("freezer", "memory", "cpuacct"), names(open(proc, Choice.V1, Optional.empty())));
  }

  @Test
  void aMissingControllerIsNamedWithThePlaceWhereItWasLookedFor() throws IOException {
    Path proc = hybrid();
    JobTree v2 = open(proc, Choice.V2, Optional.empty());
    Files.writeString(temp.resolve("unified/cgroup.controllers"), "hugetlb\n");
    var missing =
        assertThrows(
            MissingControllerException.class,
            () -> v2.with(Controller.MEMORY, v2.identity().scope()));
    assertEquals(
        "controller memory is missing: "
            + temp.resolve("unified/cgroup.controllers")
            + " has only hugetlb",
        missing.getMessage());
    JobTree v1 = open(proc, Choice.V1, Optional.empty());
    missing =
        assertThrows(
            MissingControllerException.class, () -> v1.with(Controller.IO, v1.identity().scope()));
    assertEquals(
        "controller blkio is missing: no v1 hierarchy with it is mounted", missing.getMessage());
    assertEquals("memory", v1.with(Controller.MEMORY, v1.identity().scope()).name());
  }

  @Test
  void controllersAreEnabledFromTheTopDown() throws IOException {
    Path proc = mounted("41 31 0:38 / @/unified rw - cgroup2 cgroup2 rw");
    for (String each : List.of("unified", "unified/rollcall.scope", "unified/rollcall.scope/j")) {
      Files.createDirectories(temp.resolve(each));
      Files.writeString(temp.resolve(each + "/cgroup.controllers"), "cpuset hugetlb\n");
      Files.writeString(temp.resolve(each + "/cgroup.subtree_control"), "");
    }
    JobTree tree = open(proc, Choice.AUTO, Optional.empty());
    tree.with(Controller.CPUSET, tree.identity().scope().child("j"));
    assertEquals("+cpuset", Files.readString(temp.resolve("unified/cgroup.subtree_control")));
    assertEquals(
        "+cpuset", Files.readString(temp.resolve("unified/rollcall.scope/cgroup.subtree_control")));
    assertEquals(
        "", Files.readString(temp.resolve("unified/rollcall.scope/j/cgroup.subtree_control")));
  }

  @Test
  void theRootOfTheFreezerIsUsedInTheOtherHierarchiesToo() throws IOException {
    JobTree tree = open(hybrid(), Choice.V1, Optional.of(temp.resolve("freezer/cluster/node1")));
    assertEquals("/cluster/node1/rollcall.scope", tree.path().root());
    JobStep step = new JobStep(new JobId(42), StepId.of(3));
    assertEquals(
        List.of(
            temp.resolve("freezer/cluster/node1/rollcall.scope/job_42/step_3/user/task_0"),
            temp.resolve("memory/cluster/node1/rollcall.scope/job_42/step_3/user/task_0"),
            temp.resolve("cpu,cpuacct/cluster/node1/rollcall.scope/job_42/step_3/user/task_0")),
        tree.hierarchies().stream().map(h -> h.leaf(step, Leaves.TASK).path()).toList());
    assertEquals(
        Optional.of(step),
        tree.stepOf(
            ProcessCgroups.parse(
                List.of(
                    "6:freezer:/cluster/node1/rollcall.scope/job_42/step_3/user/task_0",
                    "0::/rollcall.scope/job_7/step_0"))));
  }

  @Test
  void anUnmountedHierarchyIsRefusedByName() throws IOException {
    Path proc = mounted("41 31 0:38 / @/unified rw - cgroup2 cgroup2 rw");
    IOException refused =
        assertThrows(IOException.class, () -> open(proc, Choice.V1, Optional.empty()));
    assertEquals("the v1 freezer hierarchy is not mounted", refused.getMessage());
    Path none = mounted("22 27 0:20 / /proc rw - proc proc rw");
    assertThrows(IOException.class, () -> open(none, Choice.V2, Optional.empty()));
    assertEquals(
        "neither cgroup2 nor the v1 freezer hierarchy is mounted",
        assertThrows(IOException.class, () -> open(none, Choice.AUTO, Optional.empty()))
            .getMessage());
  }

  @Test
  void scopesOfTwoAgentsHaveTheirOwnJobs() throws IOException {
    Path proc = hybrid();
    JobTree first = open(proc, Choice.V1, Optional.empty());
    JobTree second =
        JobTree.open(
            new TreeConfig(
                Optional.empty(),
                Choice.V1,
                proc,
                Path.of("/"),
                true,
                OptionalInt.empty(),
                new ScopeName("rollcall-node7.scope")));
    assertEquals("/rollcall-node7.scope", second.path().root());
    Files.createDirectories(temp.resolve("memory/rollcall.scope/job_7"));
    Files.createDirectories(temp.resolve("memory/rollcall-node7.scope/job_8"));
    assertEquals(Set.of(new JobId(7)), first.directories());
    assertEquals(Set.of(new JobId(8)), second.directories());
    var cgroups = ProcessCgroups.parse(List.of("6:freezer:/rollcall-node7.scope/job_8/step_0"));
    assertEquals(Optional.empty(), first.stepOf(cgroups));
    assertEquals(Optional.of(new JobStep(new JobId(8), StepId.of(0))), second.stepOf(cgroups));
  }

  @Test
  void onlyDirectoriesWithAJobsNameAreJobs() throws IOException {
    JobTree tree = open(hybrid(), Choice.V1, Optional.empty());
    Files.createDirectories(temp.resolve("memory/rollcall.scope/job_7"));
    Files.createDirectories(temp.resolve("freezer/rollcall.scope/job_8/job_9"));
    Files.createDirectories(temp.resolve("freezer/rollcall.scope/job_x"));
    assertEquals(Set.of(new JobId(7), new JobId(8)), tree.directories());
  }
}
