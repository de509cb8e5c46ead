package dev.rollcall.jobs.tree;

import static java.lang.System.Logger.Level.DEBUG;

import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupIndex;
import dev.rollcall.linux.cgroup.JobPath;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The directories below a job's own: steps, their tasks, and a leaf for each session. */
public final class Leaves {
  private static final System.Logger LOG = System.getLogger(Leaves.class.getName());
  private static final String SESSION = "session_";

  /** The leaf of a step that the batch system began itself. */
  public static final String TASK = "task_0";

  /** The leaf of the extern step for process 1 of a job's pid namespace. */
  public static final String CONTAINER = "container";

  private final JobTree tree;
  private final CgroupIndex index;

  public Leaves(JobTree tree, CgroupIndex index) {
    this.tree = tree;
    this.index = index;
  }

  public static String session(long number) {
    return SESSION + number;
  }

  /** Makes the job's directory and its extern step in every hierarchy; what is there stays. */
  public void makeJob(JobId job) throws IOException {
    make(new JobStep(job, StepId.EXTERN), Optional.empty());
  }

  /** Makes a leaf of a step, and what is missing above it, in every hierarchy. */
  public void makeLeaf(JobStep step, String leaf) throws IOException {
    make(step, Optional.of(leaf));
  }

  private void make(JobStep step, Optional<String> leaf) throws IOException {
    for (Hierarchy hierarchy : tree.hierarchies()) {
      CgroupDirectory user = hierarchy.user(step);
      // A login waits for its session's leaf; the directories above it were made before.
      if (leaf.isPresent() && hierarchy.madeBelow(user, leaf.get())) {
        continue;
      }
      tree.makeInner(hierarchy, user);
      if (leaf.isPresent()) {
        hierarchy.make(user.child(leaf.get()));
      }
    }
    CgroupDirectory user = tree.identity().user(step);
    if (leaf.isPresent()) {
      index.add(user.child(leaf.get()), step);
      return;
    }
    learn(step.job());
  }

  /** Tells the index every directory of the job. */
  public void learn(JobId job) throws IOException {
    Hierarchy identity = tree.identity();
    for (CgroupDirectory directory : identity.job(job).tree()) {
      Optional<JobStep> step = tree.path().jobStepOf(identity.pathOf(directory));
      if (step.isPresent()) {
        index.add(directory, step.get());
      }
    }
  }

  /** The steps that have a directory. */
  public List<StepId> steps(JobId job) throws IOException {
    List<StepId> steps = new ArrayList<>();
    for (CgroupDirectory child : tree.identity().job(job).children()) {
      JobPath.stepOf(name(child)).ifPresent(steps::add);
    }
    return steps;
  }

  /** Tells the index a leaf that is there already. */
  public void learn(JobStep step, String leaf) throws IOException {
    index.add(tree.identity().leaf(step, leaf), step);
  }

  /**
   * The highest number of a session of the agent's whose leaf is there, in any hierarchy; 0 if
   * there is none. Sessions that moved themselves have numbers of their own ({@link OwnMoves}).
   */
  public long lastSession(JobId job) throws IOException {
    JobStep extern = new JobStep(job, StepId.EXTERN);
    long last = 0;
    for (Hierarchy hierarchy : tree.hierarchies()) {
      for (CgroupDirectory leaf : hierarchy.user(extern).children()) {
        long session = sessionOf(name(leaf)).orElse(0);
        last = OwnMoves.isNumber(session) ? last : Math.max(last, session);
      }
    }
    return last;
  }

  /** The number of the session whose leaf this is, if it is one's. */
  public static OptionalLong sessionOf(String leaf) {
    return leaf.matches(SESSION + "[0-9]{1,18}")
        ? OptionalLong.of(Long.parseLong(leaf.substring(SESSION.length())))
        : OptionalLong.empty();
  }

  /** The leaves of sessions that are there. */
  public List<CgroupDirectory> sessions(JobId job) throws IOException {
    return tree.identity().user(new JobStep(job, StepId.EXTERN)).children().stream()
        .filter(leaf -> sessionOf(name(leaf)).isPresent())
        .toList();
  }

  /** Their numbers. */
  public List<Long> sessionNumbers(JobId job) throws IOException {
    return sessions(job).stream().flatMap(leaf -> sessionOf(name(leaf)).stream().boxed()).toList();
  }

  /**
   * Removes a leaf in every hierarchy if there is no process in it; false if there is. The kernel
   * refuses where one is, so none can be hit; the job's lock keeps the leaf of an adoption that is
   * under way.
   */
  public boolean removed(JobStep step, String leaf) {
    for (Hierarchy hierarchy : tree.hierarchies()) {
      CgroupDirectory directory = hierarchy.leaf(step, leaf);
      try {
        // Looked at before, so that no empty cgroup below a living one is taken away from it.
        if (directory.isOccupied()) {
          return false;
        }
        for (CgroupDirectory below : directory.tree().reversed()) {
          Files.deleteIfExists(below.path());
        }
      } catch (IOException busy) {
        LOG.log(DEBUG, "leaf {0} stays: {1}", directory, busy.getMessage());
        return false;
      }
    }
    return true;
  }

  private static String name(CgroupDirectory directory) {
    return String.valueOf(directory.path().getFileName());
  }
}
