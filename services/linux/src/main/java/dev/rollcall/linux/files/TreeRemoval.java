package dev.rollcall.linux.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.rollcall.linux.Errno;
import dev.rollcall.linux.files.DirectoryHandle.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Removes what is in a directory, whatever its users put there: links that lead out, mounts,
 * directories of any depth, names that are no text. What cannot be removed is left, and named. Not
 * thread-safe.
 */
public final class TreeRemoval {
  /** Each level that is open costs a descriptor; what is deeper is moved up first. */
  private static final int DEEPEST = 64;

  /** Users' processes may still add to a directory while it is read. */
  private static final int MOST_PASSES = 3;

  private static final int MOST_NAMED = 20;
  private static final int EISDIR = 21;

  private final Deque<Level> levels = new ArrayDeque<>();
  private final List<Left> left = new ArrayList<>();
  private final BooleanSupplier goesOn;
  private long removed;
  private final Deque<byte[]> movedUp = new ArrayDeque<>();
  private long leftCount;
  private long moves;

  /**
   * What could not be removed.
   *
   * @param path below the directory, made printable
   * @param reason in errno(3)'s words
   */
  public record Left(String path, String reason) {}

  /**
   * How it ended.
   *
   * @param removed files and directories
   * @param left of what is left, at most 20
   * @param leftCount how much is left
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

  /** A directory that is open, by its name in the level above; what cannot be removed sticks. */
  private static final class Level {
    private final DirectoryHandle handle;
    private final byte[] name;
    private Deque<Entry> entries = new ArrayDeque<>();
    private int passes;
    private boolean sticks;

    Level(DirectoryHandle handle, byte[] name) {
      this.handle = handle;
      this.name = name;
    }
  }

  private TreeRemoval(BooleanSupplier goesOn) {
    this.goesOn = goesOn;
  }

  /**
   * Empties a directory, which stays.
   *
   * @param directory whose path nobody but root can change
   * @param goesOn is asked before each entry; false stops it, and another call goes on from there
   * @throws IOException naming the directory, if it cannot be opened
   */
  public static Report empty(Path directory, BooleanSupplier goesOn) throws IOException {
    var removal = new TreeRemoval(goesOn);
    removal.levels.push(new Level(DirectoryHandle.open(directory), new byte[0]));
    try {
      boolean whole = removal.work();
      return new Report(removal.removed, removal.left, removal.leftCount, whole);
    } finally {
      removal.levels.forEach(level -> level.handle.close());
    }
  }

  private boolean work() {
    while (!levels.isEmpty()) {
      if (!goesOn.getAsBoolean()) {
        return false;
      }
      Level level = levels.peek();
      Optional<Entry> next = next(level);
      if (next.isPresent()) {
        remove(level, next.get());
      } else {
        levels.pop();
        leave(level);
      }
    }
    return true;
  }

  private Optional<Entry> next(Level level) {
    if (level.entries.isEmpty()) {
      DirectoryHandle.Listing listing = level.handle.list();
      if (listing.error() != 0) {
        keeps(level, new byte[0], listing.error());
      }
      level.entries = new ArrayDeque<>(listing.entries());
    }
    return Optional.ofNullable(level.entries.poll());
  }

  private void remove(Level level, Entry entry) {
    if (entry.directory()) {
      enter(level, entry.name());
      return;
    }
    long result = level.handle.removeFile(entry.name());
    if (result == -EISDIR) {
      enter(level, entry.name());
    } else {
      counts(level, entry.name(), result);
    }
  }

  private void enter(Level level, byte[] name) {
    if (level.handle.removeDirectory(name) == 0) { // most are empty by the time, or small
      removed++;
      return;
    }
    if (levels.size() >= DEEPEST) {
      moveUp(level, name);
      return;
    }
    long opened = level.handle.openBelow(name);
    if (opened < 0) {
      keeps(level, name, (int) opened);
    } else {
      levels.push(new Level(DirectoryHandle.of(opened), name));
    }
  }

  /** To the top, where its turn comes when the rest is done. */
  private void moveUp(Level level, byte[] name) {
    byte[] there = (".rollcall-deep-" + moves++).getBytes(UTF_8);
    long result = level.handle.move(name, levels.getLast().handle, there);
    if (result < 0) {
      keeps(level, name, (int) result);
    } else {
      movedUp.add(there);
    }
  }

  private void leave(Level level) {
    Level above = levels.peek();
    boolean again = !level.sticks && level.passes < MOST_PASSES;
    if (above == null) {
      leaveTop(level);
      return;
    }
    long result = above.handle.removeDirectory(level.name);
    if (result == -Errno.ENOTEMPTY.number() && again && level.handle.rewind() == 0) {
      level.passes++;
      levels.push(level);
      return;
    }
    level.handle.close();
    if (result == 0) {
      removed++;
    } else if (level.sticks) {
      above.sticks = true; // what is in it was named
    } else {
      keeps(above, level.name, (int) result);
    }
  }

  private void leaveTop(Level top) {
    byte[] next = movedUp.poll();
    if (next == null) {
      top.handle.close();
    } else {
      levels.push(top);
      enter(top, next);
    }
  }

  private void counts(Level level, byte[] name, long result) {
    if (result == 0 || result == -Errno.ENOENT.number()) {
      removed++;
    } else {
      keeps(level, name, (int) result);
    }
  }

  private void keeps(Level level, byte[] name, int result) {
    level.sticks = true;
    leftCount++;
    if (left.size() < MOST_NAMED) {
      left.add(new Left(path(name), reason(-result)));
    }
  }

  private static String reason(int errno) {
    return errno == Errno.EXDEV.number() || errno == Errno.EBUSY.number()
        ? "something is mounted there"
        : Errno.words(errno);
  }

  private String path(byte[] name) {
    StringBuilder path = new StringBuilder();
    levels
        .descendingIterator()
        .forEachRemaining(level -> {
          if (level.name.length > 0) {
            path.append(printable(level.name)).append('/');
          }
        });
    return path.append(printable(name)).toString();
  }

  private static String printable(byte[] name) {
    return new String(name, UTF_8).replaceAll("[\\p{Cntrl}\uFFFD]", "?");
  }
}
