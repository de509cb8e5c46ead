package dev.rollcall.jobs.tree;

import static java.lang.System.Logger.Level.DEBUG;

import dev.rollcall.linux.cgroup.BoundedWait;
import dev.rollcall.linux.cgroup.CgroupDirectory;
import dev.rollcall.linux.cgroup.CgroupIndex;
import dev.rollcall.linux.cgroup.CgroupRemoval;
import dev.rollcall.linux.cgroup.JobPath;
import dev.rollcall.model.JobId;
import dev.rollcall.model.JobStep;
import dev.rollcall.model.StepId;
import java.io.IOException;
import java.time.Duration;
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

  /** A leaf's below its job: step, user, leaf. */
  private static final int LEAF = 3;

  /** Linux 4.14. */
  private static final String DESCENDANTS = "cgroup.max.descendants";

  /**
   * A job's cgroups: three for each step, one for each session, and those that users make. The
   * agent goes through them all, and {@link CgroupIndex} through 10,000 of all jobs.
   */
  static final int MOST_CGROUPS = 4_096;

  /**
   * Levels below a job's directory. So 13 levels of a user's own are below a leaf, with names of
   * 255 bytes: no path is longer than the kernel takes (4,095 bytes).
   */
  static final int DEEPEST = LEAF + 13;

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
    CgroupDirectory directory = tree.identity().job(job);
    if (tree.identity().v2() && directory.has(DESCENDANTS)) {
      directory.write(DESCENDANTS, Integer.toString(MOST_CGROUPS));
      directory.write("cgroup.max.depth", Integer.toString(DEEPEST));
    }
  }

  /**
   * Makes a leaf of a step, and what is missing above it, in every hierarchy.
   *
   * @throws IOException naming the bound, if a cgroup has the most cgroups that it may have
   */
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

  /** Tells the index every directory of the job down to the leaves. It finds those below itself. */
  public void learn(JobId job) throws IOException {
    Hierarchy identity = tree.identity();
    identity
        .job(job)
        .walk(
            LEAF,
            directory -> {
              Optional<JobStep> step = tree.path().jobStepOf(identity.pathOf(directory));
              if (step.isPresent()) {
                index.add(directory, step.get());
              }
            });
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

  public List<CgroupDirectory> sessions(JobId job) throws IOException {
    return tree.identity().user(new JobStep(job, StepId.EXTERN)).children().stream()
        .filter(leaf -> sessionOf(name(leaf)).isPresent())
        .toList();
  }

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
        if (directory.isOccupied()
            || !(CgroupRemoval.remove(directory, BoundedWait.of(Duration.ZERO))
                instanceof CgroupRemoval.Outcome.Removed)) {
          return false;
        }
      } catch (IOException unreadable) {
        LOG.log(DEBUG, "leaf {0} stays: {1}", directory, unreadable.getMessage());
        return false;
      }
    }
    return true;
  }

  private static String name(CgroupDirectory directory) {
    return String.valueOf(directory.path().getFileName());
  }
}
