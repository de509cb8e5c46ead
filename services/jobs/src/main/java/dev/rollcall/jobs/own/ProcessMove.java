package dev.rollcall.jobs.own;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.tree.Hierarchy;
import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.ProcessCgroups;
import dev.rollcall.linux.process.Proc;
import dev.rollcall.model.JobStep;
import dev.rollcall.port.Jobs.AdoptResult;
import dev.rollcall.port.PinnedProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Moves one process into a leaf, in every hierarchy, and believes only what it reads back. If a
 * move fails half-way, it is undone and the result has the reason. Runs under the job's lock.
 */
final class ProcessMove {
  private static final System.Logger LOG = System.getLogger(ProcessMove.class.getName());

  private final JobTree tree;
  private final Proc procfs;
  private final PinnedProcess process;
  private final int pid;
  private final JobStep step;
  private final String leaf;

  /**
   * @param leaf exists in every hierarchy
   */
  ProcessMove(JobTree tree, Proc procfs, PinnedProcess process, JobStep step, String leaf) {
    this.tree = tree;
    this.procfs = procfs;
    this.process = process;
    this.pid = process.ref().pid();
    this.step = step;
    this.leaf = leaf;
  }

  /**
   * @param before where the process is, read while it was known to live
   */
  AdoptResult run(ProcessCgroups before) {
    List<Hierarchy> moved = new ArrayList<>();
    try {
      for (Hierarchy hierarchy : tree.hierarchies()) {
        hierarchy.leaf(step, leaf).add(pid);
        moved.add(hierarchy);
      }
    } catch (IOException e) {
      return undone(String.valueOf(e.getMessage()), moved, before);
    }
    // Its pid was its own when it was written, if it lives now.
    if (!process.alive()) {
      return undone("process " + pid + " ended while it was moved", moved, parentOf(before));
    }
    return readBack(moved, before);
  }

  private AdoptResult readBack(List<Hierarchy> moved, ProcessCgroups before) {
    Optional<ProcessCgroups> after = procfs.cgroups(process);
    if (after.isEmpty()) {
      return undone("process " + pid + " ended while it was read back", moved, parentOf(before));
    }
    for (Hierarchy hierarchy : tree.hierarchies()) {
      String wanted = hierarchy.pathOf(hierarchy.leaf(step, leaf));
      String found = after.get().in(hierarchy.name()).orElse("no line");
      if (!found.equals(wanted)) {
        String reason =
            "/proc/%d/cgroup has %s in %s, not %s".formatted(pid, found, label(hierarchy), wanted);
        return undone(reason, moved, before);
      }
    }
    Hierarchy identity = tree.identity();
    return new AdoptResult.Adopted(
        step, identity.name(), identity.pathOf(identity.leaf(step, leaf)));
  }

  /**
   * If the pinned process ended between the last look and the write, its pid may already be another
   * process's, and that one was moved. It was, most likely, where its parent is.
   */
  private ProcessCgroups parentOf(ProcessCgroups before) {
    return procfs.parent(pid).flatMap(procfs::cgroups).orElse(before);
  }

  /** Moves back what has this pid, where it was moved. Which hierarchies fail to is said. */
  private AdoptResult undone(String reason, List<Hierarchy> moved, ProcessCgroups to) {
    StringBuilder told = new StringBuilder(reason);
    for (Hierarchy hierarchy : moved) {
      try {
        if (!hierarchy.leaf(step, leaf).pids().contains(pid)) {
          continue;
        }
        String path = to.in(hierarchy.name()).orElseThrow(() -> new IOException("nowhere to go"));
        new CgroupDirectory(hierarchy.mount().directoryOf(path)).add(pid);
      } catch (IOException | IllegalArgumentException e) {
        told.append("; not moved back in ").append(label(hierarchy)).append(": ");
        told.append(e.getMessage());
      }
    }
    LOG.log(WARNING, "cannot adopt process {0} into {1}: {2}", Integer.toString(pid), step, told);
    return new AdoptResult.Failed(told.toString());
  }

  private static String label(Hierarchy hierarchy) {
    return hierarchy.name().isEmpty() ? "v2" : hierarchy.name();
  }
}
