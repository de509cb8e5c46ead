package dev.rollcall.jobs.container;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;
import static java.util.Objects.requireNonNull;

import dev.rollcall.linux.files.TreeRemoval.Left;
import dev.rollcall.linux.files.TreeRemoval.Report;
import dev.rollcall.linux.process.ThreadPriority;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Removes the directories that ended jobs left, in the background. Each is moved aside at once, to
 * {@code BASE/.rollcall-NODE/gone-42-1}, where no user reaches it, and removed later by one thread
 * of low priority, one at a time. A tree that cannot be removed, for mounts or immutable files, is
 * logged once and tried again every ten minutes; it delays no other tree. Thread-safe.
 */
public final class Removals implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Removals.class.getName());
  private static final Duration TO_STOP = Duration.ofSeconds(5);

  /** Entries of one tree while others wait. */
  private static final int TURN = 100_000;

  private final String node;
  private final RemovalQueue queue;
  private final InstantSource clock;
  private final BooleanSupplier goesOn;
  private final int turn;
  private final LongAdder removed = new LongAdder();
  private final Thread thread;

  /** Entries of the tree at work. Of the thread. */
  private int asked;

  /**
   * A tree of which something cannot be removed.
   *
   * @param tree where it is: {@code BASE/.rollcall-NODE/gone-42-1}
   * @param left of what is left, at most 20
   * @param leftCount how much is left
   */
  public record Stuck(Path tree, List<Left> left, long leftCount) {
    public Stuck {
      left = List.copyOf(left);
    }

    /** {@code /base/.rollcall-n1/gone-42-1: 1 left: a/b: something is mounted there}. */
    @Override
    public String toString() {
      return left.stream()
          .map(it -> it.path() + ": " + it.reason())
          .collect(Collectors.joining("; ", tree + ": " + leftCount + " left: ", ""));
    }
  }

  /**
   * How far it is.
   *
   * @param waiting trees to be removed, with the one at work, without those that are stuck
   * @param removed files and directories since the start
   * @param stuck trees that are tried again
   */
  public record Progress(int waiting, long removed, List<Stuck> stuck) {
    public Progress {
      stuck = List.copyOf(stuck);
    }
  }

  /**
   * @param goesOn is asked before each entry, and may wait
   * @param turn entries of one tree while others wait
   */
  Removals(String node, RemovalQueue queue, InstantSource clock, BooleanSupplier goesOn, int turn) {
    if (node.isEmpty() || node.indexOf('/') >= 0) {
      throw new IllegalArgumentException("node \"" + node + "\" is not a part of a file's name");
    }
    this.node = node;
    this.queue = queue;
    this.clock = clock;
    this.goesOn = goesOn;
    this.turn = turn;
    this.thread = Thread.ofPlatform().name("rollcall-removals").daemon().start(this::run);
  }

  /**
   * Begins, with nothing to remove yet.
   *
   * @param node its name, as it is part of the name of the directory
   */
  public static Removals open(String node, InstantSource clock) {
    return open(node, clock, () -> true);
  }

  /** With a question that is asked before each entry, and may wait. */
  static Removals open(String node, InstantSource clock, BooleanSupplier goesOn) {
    return new Removals(node, new RemovalQueue(), clock, goesOn, TURN);
  }

  /**
   * Moves a directory aside, and has it removed. Takes one mkdir(2) and one rename(2), whatever is
   * in it. After {@link #close} it is moved only, for the next {@link #resume}.
   *
   * @param directory by its absolute path; what is above belongs to root
   * @throws NoSuchFileException if there is none: it may have been put before
   * @throws IOException naming the path and errno's words, as EBUSY if something is mounted on it;
   *     then it is where it was
   */
  public void put(Path directory) throws IOException {
    Path base = requireNonNull(directory.getParent(), "a directory below a base");
    queue.add(RemovalDirectory.in(base, node).take(directory));
  }

  /**
   * Goes on with directories that the last run of the agent moved aside. Directories that are not
   * this node's own, or not private, are logged and left.
   */
  public void resume(Path base) {
    RemovalDirectory aside = RemovalDirectory.in(base, node);
    try {
      List<Path> trees = aside.trees();
      trees.forEach(queue::add);
      if (trees.isEmpty()) {
        aside.tidy();
      }
    } catch (NoSuchFileException none) { // nothing was left
    } catch (IOException e) {
      LOG.log(WARNING, "files of ended jobs are not removed: {0}", e.getMessage());
    }
  }

  private void run() {
    ThreadPriority.lowest();
    try {
      Optional<Path> tree = queue.await(clock);
      while (tree.isPresent()) {
        remove(tree.get());
        tree = queue.await(clock);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void remove(Path tree) {
    asked = 0;
    try {
      Report report = RemovalDirectory.of(tree).remove(tree, this::next, removed);
      if (report.clean()) {
        gone(tree);
      } else if (report.whole() || (report.removed() == 0 && !queue.stopped())) {
        stuck(new Stuck(tree, report.left(), report.leftCount()));
      } else {
        queue.putOff(tree);
      }
    } catch (NoSuchFileException e) {
      gone(tree);
    } catch (IOException | RuntimeException e) { // the others are to be removed all the same
      stuck(new Stuck(tree, List.of(new Left(".", e.toString())), 1));
    }
  }

  private boolean next() {
    return !queue.stopped()
        && (asked++ < turn || !queue.othersWait())
        && goesOn.getAsBoolean()
        && !queue.stopped();
  }

  private void gone(Path tree) {
    RemovalDirectory.of(tree).tidy();
    if (queue.gone(tree)) {
      LOG.log(INFO, "{0} could be removed now", tree);
    }
  }

  private void stuck(Stuck tree) {
    if (queue.stuck(tree, clock.instant())) {
      LOG.log(WARNING, "some files cannot be removed, and are tried again: {0}", tree);
    }
  }

  public Progress progress() {
    return queue.progress(removed.sum());
  }

  /** Has the clock looked at again. */
  void wake() {
    queue.wake();
  }

  /** Has the thread stop before the next entry. */
  void stop() {
    queue.stop();
  }

  /** Stops, also in the middle of a tree. The next {@link #resume} removes the rest. */
  @Override
  public void close() {
    stop();
    try {
      if (!thread.join(TO_STOP)) {
        LOG.log(WARNING, "the removal of jobs' files does not stop: a file system hangs");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
