package dev.rollcall.linux.files;

import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.Syscall;
import dev.rollcall.linux.files.DirectoryEntries.Entry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Removes the contents of a directory, whatever users put there: links, mounts, deep directories,
 * names that are not text. What cannot be removed is left, and named.
 *
 * <p>Processes of the users may still run, with open descriptors or working directories inside. So
 * each directory, from the top, becomes its caller's own with mode 0700 before it is read. From
 * then on nobody without privileges adds to it, or moves what is in it elsewhere: a directory that
 * is open here stays where it was found, and everything removed was in the tree. What was moved out
 * before its turn came is not touched.
 *
 * <p>Subvolumes of btrfs are removed like directories, those that a user made or made read-only,
 * too; limits that leave no space for that ({@link dev.rollcall.linux.quota.TreeQuota}) are lifted,
 * which needs CAP_SYS_ADMIN.
 *
 * <p>Long, as each case is a few lines of one walk. Not thread-safe. Needs at most {@value
 * #DEEPEST} descriptors and a few, with subvolumes half as many more, and of capabilities CAP_CHOWN
 * and CAP_DAC_OVERRIDE.
 */
public final class TreeRemoval {
  /** Each level that is open costs a descriptor; what is deeper is moved up first. */
  private static final int DEEPEST = 64;

  private static final int MOST_NAMED = 20;

  private final Deque<Level> levels = new ArrayDeque<>();
  private final List<Left> left = new ArrayList<>();
  private final DirectoryHandle above;
  private final BooleanSupplier goesOn;
  private final LongAdder counter;
  private long removed;
  private long leftCount;

  /**
   * What could not be removed.
   *
   * @param path below the directory, made printable; of a long one, the end
   * @param reason in errno(3)'s words
   */
  public record Left(String path, String reason) {}

  /**
   * How it ended.
   *
   * @param removed files and directories
   * @param left of what is left, at most 20
   * @param leftCount how much is left; a directory that is not entered counts as one
   * @param whole false if it was told to stop
   */
  public record Report(long removed, List<Left> left, long leftCount, boolean whole) {
    public Report {
      left = List.copyOf(left);
    }

    /** Whether the directory is empty now. */
    public boolean clean() {
      return whole && leftCount == 0;
    }
  }

  private TreeRemoval(DirectoryHandle above, BooleanSupplier goesOn, LongAdder counter) {
    this.above = above;
    this.goesOn = goesOn;
    this.counter = counter;
  }

  /**
   * Empties a directory, which stays, as its caller's own and with mode 0700.
   *
   * @param above a directory on the same mount
   * @param goesOn is asked before each entry; false stops it, and another call goes on from there
   * @param counter is told each entry when it was removed
   * @throws ErrnoException with the name, if it cannot be made the caller's own
   */
  static Report empty(
      DirectoryHandle above,
      DirectoryHandle top,
      String name,
      BooleanSupplier goesOn,
      LongAdder counter)
      throws ErrnoException {
    var removal = new TreeRemoval(above, goesOn, counter);
    Syscall.FCHOWN.check(name, removal.claim(top));
    removal.levels.push(new Level(top, new byte[0]));
    try {
      boolean whole = removal.work();
      return new Report(removal.removed, removal.left, removal.leftCount, whole);
    } finally {
      removal.levels.forEach(Level::close);
    }
  }

  private boolean work() {
    while (!levels.isEmpty()) {
      if (!goesOn.getAsBoolean()) {
        return false;
      }
      Level level = levels.element();
      int error = level.read();
      if (error != 0) {
        keeps(level, new byte[0], error);
      }
      if (level.hasNext()) {
        remove(level, level.next());
      } else {
        leave(level);
      }
    }
    return true;
  }

  private void remove(Level level, Entry entry) {
    byte[] name = entry.name();
    if (entry.directory()) {
      removeDirectory(level, name);
      return;
    }
    long result = lifted(() -> level.handle.removeFile(name));
    if (result == -Errno.EISDIR.number()) {
      removeDirectory(level, name);
    } else {
      counts(level, name, result);
    }
  }

  private void removeDirectory(Level level, byte[] name) {
    if (level.movedUp.filter(own -> Arrays.equals(own.name, name)).isPresent()) {
      return; // its turn comes when the rest is done
    }
    long result = lifted(() -> level.handle.removeDirectory(name)); // most are empty
    if (!isNotEmpty(result)) {
      counts(level, name, result);
    } else if (levels.size() < DEEPEST) {
      enter(level, name);
    } else {
      moveUp(level, name);
    }
  }

  private void enter(Level level, byte[] name) {
    long opened = level.handle.openBelow(name);
    if (opened < 0) { // EXDEV: mounted since rmdir(2), which says EBUSY
      keeps(level, name, opened == -Errno.EXDEV.number() ? -Errno.EBUSY.number() : opened);
      return;
    }
    DirectoryHandle handle = DirectoryHandle.of(opened);
    long claimed = claim(handle);
    if (claimed < 0) {
      handle.close();
      keeps(level, name, claimed);
    } else {
      levels.push(new Level(handle, name));
    }
  }

  private long claim(DirectoryHandle handle) {
    long result = handle.claim();
    if (result < 0) {
      boolean own = handle.lift(above);
      result = lift() || own ? handle.claim() : result;
    }
    return result;
  }

  private void moveUp(Level level, byte[] name) {
    Level top = levels.getLast();
    long result = moved(top, level, name);
    if (result != -Errno.EXDEV.number()) {
      movesUp(level, name, result);
      return;
    }
    try { // from one subvolume of btrfs to another only subvolumes can be moved
      Level subvolume = subvolume();
      int depth = levels.size() - List.copyOf(levels).indexOf(subvolume);
      if (depth > DEEPEST / 2) {
        lift(); // as its limit may be that of one above
        closeDownTo(depth);
        movesUp(levels.element(), subvolume.name, moved(top, levels.element(), subvolume.name));
      } else {
        movesUp(level, name, moved(subvolume, level, name));
      }
    } catch (ErrnoException e) {
      keeps(level, name, -e.errno());
    }
  }

  private long moved(Level to, Level from, byte[] name) {
    return lifted(() -> {
      try {
        if (to.movedUp.isEmpty()) {
          to.movedUp = Optional.of(MovedUp.in(to.handle));
        }
        return to.movedUp.get().take(from.handle, name);
      } catch (ErrnoException e) {
        return -e.errno();
      }
    });
  }

  private void movesUp(Level from, byte[] name, long result) {
    if (result < 0) {
      keeps(from, name, result);
    } else {
      from.progress();
    }
  }

  /** The top of the subvolume that the deepest level is in, or the topmost level. */
  private Level subvolume() throws ErrnoException {
    Level below = levels.element();
    for (Level level : levels) {
      if (!level.handle.isBeside(below.handle)) {
        return below;
      }
      below = level;
    }
    return below;
  }

  /** Leaves all that are as deep, or deeper, as they are. */
  private void closeDownTo(int depth) {
    while (levels.size() >= depth) {
      levels.remove().close();
    }
  }

  /** Once more without limits if there is no space left to remove something. */
  private long lifted(LongSupplier call) {
    long result = call.getAsLong();
    return result == -Errno.EDQUOT.number() && lift() ? call.getAsLong() : result;
  }

  private boolean lift() {
    return levels.stream().filter(level -> level.handle.lift(above)).count() > 0;
  }

  private void leave(Level level) {
    if (level.movedUp.isPresent()) {
      levels.push(level.movedUp.get());
      level.movedUp = Optional.empty();
      return;
    }
    levels.remove();
    if (levels.isEmpty()) {
      leaveTop(level);
      return;
    }
    Level above = levels.element();
    long result = level.sticks() ? 0 : lifted(() -> above.handle.removeDirectory(level.name));
    if (isNotEmpty(result) && level.again()) {
      levels.push(level);
      return;
    }
    level.close();
    if (level.sticks()) {
      above.stick(); // what is in it was named
    } else {
      counts(above, level.name, result);
    }
  }

  private void leaveTop(Level top) {
    if (top.again()) {
      levels.push(top);
    } else {
      top.close();
    }
  }

  private static boolean isNotEmpty(long result) { // rmdir(2) may say either
    return result == -Errno.ENOTEMPTY.number() || result == -Errno.EEXIST.number();
  }

  private void counts(Level level, byte[] name, long result) {
    if (result == 0) {
      level.progress();
      removed++;
      counter.increment();
    } else if (result != -Errno.ENOENT.number()) {
      keeps(level, name, result);
    }
  }

  private void keeps(Level level, byte[] name, long result) {
    level.stick();
    leftCount++;
    if (left.size() < MOST_NAMED) {
      left.add(new Left(PrintablePath.of(levels, name), reason((int) -result)));
    }
  }

  static String reason(int errno) {
    return errno == Errno.EBUSY.number() ? "something is mounted there" : Errno.words(errno);
  }
}
