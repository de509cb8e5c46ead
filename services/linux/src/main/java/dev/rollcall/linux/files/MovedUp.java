package dev.rollcall.linux.files;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.Syscall;
import dev.rollcall.linux.files.DirectoryEntries.Entry;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A directory of our own in the topmost one, or in the top of a subvolume of btrfs, for directories
 * that lie too deep to be entered where they are. They are numbered in it, so that their names need
 * no memory.
 */
final class MovedUp extends Level {
  private static final int MOST_TRIES = 100;

  private long moved;
  private long emptied;

  private MovedUp(DirectoryHandle handle, byte[] name) {
    super(handle, name);
  }

  /** In this one, under a name that is free. */
  static MovedUp in(DirectoryHandle top) throws ErrnoException {
    byte[] name = {};
    long made = -Errno.EEXIST.number();
    for (int i = 0; i < MOST_TRIES && made == -Errno.EEXIST.number(); i++) {
      long random = ThreadLocalRandom.current().nextLong();
      name = (".rollcall-deep-" + Long.toHexString(random)).getBytes(US_ASCII);
      made = top.make(name);
    }
    Syscall.MKDIRAT.check("for what lies deep", made);
    long opened = Syscall.OPENAT2.check("for what lies deep", top.openBelow(name));
    DirectoryHandle handle = DirectoryHandle.of(opened);
    handle.takeAll();
    return new MovedUp(handle, name);
  }

  /** Moves a directory here; 0, or a negated errno. */
  long take(DirectoryHandle from, byte[] name) {
    long result = from.move(name, handle, number(moved));
    if (result == 0) {
      moved++;
    }
    return result;
  }

  @Override
  int read() {
    return 0;
  }

  @Override
  boolean hasNext() {
    return emptied < moved;
  }

  @Override
  Entry next() {
    return new Entry(number(emptied++), true);
  }

  @Override
  boolean again() {
    return false;
  }

  private static byte[] number(long number) {
    return Long.toString(number).getBytes(US_ASCII);
  }
}
