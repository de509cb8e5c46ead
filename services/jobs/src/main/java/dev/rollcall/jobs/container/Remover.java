package dev.rollcall.jobs.container;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.rollcall.jobs.container.Removals.Stuck;
import dev.rollcall.linux.files.TreeRemoval.Left;
import dev.rollcall.linux.files.TreeRemoval.Report;
import dev.rollcall.linux.process.ThreadPriority;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/** The thread that removes what is in the queue, until the queue is stopped. */
final class Remover implements Runnable {
  private static final System.Logger LOG = System.getLogger(Removals.class.getName());

  /** Entries of one tree while others wait. */
  static final int TURN = 100_000;

  private final RemovalQueue queue;
  private final InstantSource clock;
  private final BooleanSupplier goesOn;
  private final LongAdder removed;
  private final int turn;
  private int asked;

  /**
   * @param goesOn is asked before each entry
   * @param removed counts files and directories
   */
  Remover(
      RemovalQueue queue,
      InstantSource clock,
      BooleanSupplier goesOn,
      LongAdder removed,
      int turn) {
    this.queue = queue;
    this.clock = clock;
    this.goesOn = goesOn;
    this.removed = removed;
    this.turn = turn;
  }

  @Override
  public void run() {
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
}
