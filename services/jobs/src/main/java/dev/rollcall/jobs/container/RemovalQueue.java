package dev.rollcall.jobs.container;

import dev.rollcall.jobs.container.Removals.Progress;
import dev.rollcall.jobs.container.Removals.Stuck;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;

/**
 * Which tree is removed next. New ones come first, in their order; those that are stuck are tried
 * again when there is nothing else, not more often than every {@link #AGAIN}. Thread-safe.
 */
final class RemovalQueue {
  static final Duration AGAIN = Duration.ofMinutes(10);

  private final SequencedSet<Path> waiting = new LinkedHashSet<>();
  private final Map<Path, Later> stuck = new LinkedHashMap<>();
  private Optional<Path> working = Optional.empty();

  private volatile boolean stopped;

  private record Later(Stuck tree, Instant due) {}

  /**
   * A tree that waits already is not added twice. One that is worked on is: it may be gone from the
   * disk, and this be another that got its name.
   */
  synchronized void add(Path tree) {
    if (!stuck.containsKey(tree) && waiting.add(tree)) {
      notifyAll();
    }
  }

  /** The tree to work on, until one of {@link #gone}, {@link #putOff} and {@link #stuck}. */
  synchronized Optional<Path> next(Instant now) {
    working = waiting.isEmpty() ? firstDue(now) : Optional.of(waiting.removeFirst());
    return working;
  }

  private Optional<Path> firstDue(Instant now) {
    Instant latest = now.plus(AGAIN); // later than that is one after the clock went back
    return stuck.values().stream()
        .filter(it -> !it.due.isAfter(now) || it.due.isAfter(latest))
        .map(it -> it.tree.tree())
        .findFirst();
  }

  /** Whether others come before those that are stuck. */
  synchronized boolean othersWait() {
    return !waiting.isEmpty();
  }

  /**
   * Waits for a tree to work on.
   *
   * @return empty after {@link #stop}
   */
  synchronized Optional<Path> await(InstantSource clock) throws InterruptedException {
    while (!stopped) {
      Optional<Path> tree = next(clock.instant());
      if (tree.isPresent()) {
        return tree;
      }
      wait(untilDue(clock.instant()).toMillis() + 1);
    }
    return Optional.empty();
  }

  private Duration untilDue(Instant now) {
    Instant latest = now.plus(AGAIN); // whatever becomes of the clock
    return stuck.values().stream()
        .map(Later::due)
        .filter(latest::isAfter)
        .min(Comparator.naturalOrder())
        .map(due -> Duration.between(now, due))
        .orElse(AGAIN);
  }

  /** Has who waits look at the clock again. */
  synchronized void wake() {
    notifyAll();
  }

  synchronized void stop() {
    stopped = true;
    notifyAll();
  }

  boolean stopped() {
    return stopped;
  }

  /**
   * It was removed.
   *
   * @return whether it had been stuck
   */
  synchronized boolean gone(Path tree) {
    working = Optional.empty();
    return stuck.remove(tree) != null;
  }

  /** It was begun, and goes on when the others had their turn. */
  synchronized void putOff(Path tree) {
    working = Optional.empty();
    waiting.add(tree);
  }

  /**
   * Some of it cannot be removed.
   *
   * @return whether that is new
   */
  synchronized boolean stuck(Stuck tree, Instant now) {
    working = Optional.empty();
    return stuck.put(tree.tree(), new Later(tree, now.plus(AGAIN))) == null;
  }

  synchronized Progress progress(long removed) {
    long count = waiting.stream().filter(it -> !stuck.containsKey(it)).count();
    boolean one = working.filter(it -> !stuck.containsKey(it)).isPresent();
    List<Stuck> trees = stuck.values().stream().map(Later::tree).toList();
    return new Progress((int) count + (one ? 1 : 0), removed, trees);
  }
}
