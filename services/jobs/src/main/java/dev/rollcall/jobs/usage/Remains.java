package dev.rollcall.jobs.usage;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.linux.cgroup.Carried;
import dev.rollcall.linux.cgroup.CgroupNotes;
import dev.rollcall.model.JobStep;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What leaves of a step counted that are gone, as far as the kernel forgets it with them. Noted at
 * the step's cgroup before a leaf is removed, with the leaf's name: if the agent dies between the
 * two, the leaf is still there and is not counted twice.
 */
final class Remains {
  private static final System.Logger LOG = System.getLogger(Remains.class.getName());
  private static final String NOTE = "gone";

  /** Held while a leaf is noted and removed, and while counts are compared that it moves. */
  final ReentrantLock lock = new ReentrantLock();

  private final JobTree tree;

  Remains(JobTree tree) {
    this.tree = tree;
  }

  /** Of all leaves of the step that are gone. */
  Carried of(JobStep step) {
    Optional<String> note = read(step);
    int space = note.map(text -> text.lastIndexOf(' ')).orElse(-1);
    if (space < 0) {
      return Carried.NONE;
    }
    Carried noted = Carried.parse(note.get().substring(0, space)).orElse(Carried.NONE);
    String leaf = note.get().substring(space + 1);
    return tree.identity().leaf(step, leaf).exists() ? noted.minus(counted(step, leaf)) : noted;
  }

  /** Notes what the leaf counted. To be called when its processes are gone, before it is. */
  void keep(JobStep step, String leaf) {
    Carried counted = counted(step, leaf);
    if (counted.equals(Carried.NONE)) {
      return;
    }
    String text = of(step).plus(counted).text() + " " + leaf;
    try {
      new CgroupNotes(tree.identity().step(step)).write(NOTE, text);
    } catch (IOException e) {
      LOG.log(WARNING, "the counts of {0} of step {1} are lost: {2}", leaf, step, e.toString());
    }
  }

  private Carried counted(JobStep step, String leaf) {
    return Carried.of(tree.files(hierarchy -> hierarchy.leaf(step, leaf)));
  }

  private Optional<String> read(JobStep step) {
    try {
      return new CgroupNotes(tree.identity().step(step)).read(NOTE);
    } catch (IOException e) {
      LOG.log(
          WARNING,
          "cannot read the counts of removed cgroups of step {0}: {1}",
          step,
          e.getMessage());
      return Optional.empty();
    }
  }
}
