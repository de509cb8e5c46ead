package dev.rollcall.linux.cgroup;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Goes through a cgroup and those below it. Keeps a path and an open directory for each level, not
 * for each cgroup: users make as many as they like, with names of 255 bytes.
 */
final class CgroupWalk implements AutoCloseable {
  private final int deepest;
  private final CgroupDirectory.Condition down;
  private final CgroupDirectory.Condition up;
  private final Deque<CgroupChildren> levels = new ArrayDeque<>();

  /**
   * @param deepest how many levels below the top are entered
   * @param down of each cgroup before those below it; true ends the walk
   * @param up of each cgroup after those below it; true ends the walk
   */
  CgroupWalk(int deepest, CgroupDirectory.Condition down, CgroupDirectory.Condition up) {
    this.deepest = deepest;
    this.down = down;
    this.up = up;
  }

  /** Whether a condition ended it. */
  boolean ended(CgroupDirectory top) throws IOException {
    Optional<CgroupDirectory> next = Optional.of(top).filter(CgroupDirectory::exists);
    while (next.isPresent() || !levels.isEmpty()) {
      if (next.isPresent()) {
        if (down.test(next.get())) {
          return true;
        }
        levels.push(CgroupChildren.of(next.get(), levels.size() < deepest));
      }
      next = levels.element().next();
      if (next.isEmpty() && left()) {
        return true;
      }
    }
    return false;
  }

  private boolean left() throws IOException {
    try (CgroupChildren lowest = levels.pop()) {
      return up.test(lowest.parent());
    }
  }

  @Override
  public void close() throws IOException {
    while (!levels.isEmpty()) {
      levels.pop().close();
    }
  }
}
