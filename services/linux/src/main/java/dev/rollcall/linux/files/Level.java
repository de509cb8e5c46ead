package dev.rollcall.linux.files;

import dev.rollcall.linux.files.DirectoryEntries.Entry;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** A directory that is open while it is emptied, by its name in the level above. */
class Level {
  final DirectoryHandle handle;
  final byte[] name;

  /** Where what lies deep below it was moved to, to be removed when the rest is. */
  Optional<MovedUp> movedUp = Optional.empty();

  private Deque<Entry> entries = new ArrayDeque<>();
  private boolean sticks;
  private boolean progressed;

  Level(DirectoryHandle handle, byte[] name) {
    this.handle = handle;
    this.name = name;
  }

  /**
   * Reads on if there is nothing to {@link #next} any more.
   *
   * @return 0, or a negated errno
   */
  int read() {
    if (!entries.isEmpty()) {
      return 0;
    }
    DirectoryEntries listing = handle.list();
    entries = new ArrayDeque<>(listing.entries());
    return listing.error();
  }

  boolean hasNext() {
    return !entries.isEmpty();
  }

  Entry next() {
    return entries.remove();
  }

  /** Closes it with what was opened for it. */
  void close() {
    handle.close();
    movedUp.ifPresent(Level::close);
  }

  /** Notes that something in it cannot be removed, and has been named. */
  void stick() {
    sticks = true;
  }

  boolean sticks() {
    return sticks;
  }

  void progress() {
    progressed = true;
  }

  /**
   * Begins again, as a file system may skip entries when others are removed meanwhile. Not when
   * nothing was removed, so that it ends.
   */
  boolean again() {
    boolean worthIt = progressed && !sticks && handle.rewind() == 0;
    progressed = false;
    return worthIt;
  }
}
