package dev.rollcall.jobs.usage;

import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.tree.JobTree;
import dev.rollcall.linux.Xattr;
import dev.rollcall.linux.cgroup.Carried;
import dev.rollcall.linux.cgroup.CgroupNotes;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps the counts of removed leaves of a step, where the kernel forgets them with the leaf. They
 * are noted at the step's cgroup before a leaf is removed, with the leaf's name. If the agent dies
 * between the note and the removal, the leaf is not counted twice.
 */
final class Remains {
  private static final System.Logger LOG = System.getLogger(Remains.class.getName());
  private static final String NOTE = "gone";
  private static final Pattern TEXT = Pattern.compile("(\\d+ \\d+ \\d+ \\d+) (.+)");

  /**
   * The value of a step's attribute.
   *
   * @param counts of all leaves that were noted
   * @param leaves the last ones of them, without spaces in their names; some may be there still
   */
  private record Note(Carried counts, List<String> leaves) {
    static final Note NONE = new Note(Carried.NONE, List.of());

    static Note parse(String text) {
      Matcher found = TEXT.matcher(text);
      return found.matches()
          ? new Note(
              Carried.parse(found.group(1)).orElse(Carried.NONE),
              List.of(found.group(2).split(" ", -1)))
          : NONE;
    }

    /** Without the oldest names if all are too long for an attribute. */
    String text() {
      String names = String.join(" ", leaves);
      String text = counts.text() + " " + names;
      return text.length() <= Xattr.LONGEST
          ? text
          : new Note(counts, leaves.subList(1, leaves.size())).text();
    }
  }

  /** One for each job: thousands of cgroups of one job may be read under it. */
  private final Map<JobId, ReentrantLock> locks = new ConcurrentHashMap<>();

  private final JobTree tree;

  Remains(JobTree tree) {
    this.tree = tree;
  }

  /** Held while a leaf is noted and removed, and while counts are compared that it moves. */
  ReentrantLock lock(JobId job) {
    return locks.computeIfAbsent(job, _ -> new ReentrantLock());
  }

  /** Forgets a job that has ended. */
  void forget(JobId job) {
    locks.remove(job);
  }

  /** The counts of all removed leaves of the step. */
  Carried of(JobStep step) {
    Note note = read(step);
    Carried gone = note.counts();
    for (String leaf : there(step, note)) {
      gone = gone.minus(counted(step, leaf));
    }
    return gone;
  }

  /** Notes what the leaf counted. To be called when its processes are gone, before it is. */
  void keep(JobStep step, String leaf) {
    Carried counted = counted(step, leaf);
    if (counted.equals(Carried.NONE)) {
      return;
    }
    Note note = read(step);
    List<String> leaves = there(step, note);
    Carried others = leaves.remove(leaf) ? note.counts().minus(counted) : note.counts();
    leaves.add(leaf);
    String text = new Note(others.plus(counted), leaves).text();
    try {
      new CgroupNotes(tree.identity().step(step)).write(NOTE, text);
    } catch (IOException e) {
      LOG.log(WARNING, "the counts of {0} of step {1} are lost: {2}", leaf, step, e.toString());
    }
  }

  private Carried counted(JobStep step, String leaf) {
    return Carried.of(tree.files(hierarchy -> hierarchy.leaf(step, leaf)));
  }

  /** The leaves of the note that are not removed yet. */
  private List<String> there(JobStep step, Note note) {
    List<String> there = new ArrayList<>(note.leaves());
    there.removeIf(leaf -> !tree.identity().leaf(step, leaf).exists());
    return there;
  }

  private Note read(JobStep step) {
    try {
      return new CgroupNotes(tree.identity().step(step))
          .read(NOTE)
          .map(Note::parse)
          .orElse(Note.NONE);
    } catch (IOException e) {
      LOG.log(
          WARNING,
          "cannot read the counts of removed cgroups of step {0}: {1}",
          step,
          e.getMessage());
      return Note.NONE;
    }
  }
}
