package dev.rollcall.linux.files;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Syscall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An open directory whose entries are reached by their names in it and nowhere else: no symbolic
 * link is followed, and no mount is entered (openat2(2), Linux 5.6). Results of calls are the
 * kernel's: negated errnos.
 */
final class DirectoryHandle implements AutoCloseable {
  private static final int O_DIRECTORY = Syscall.aarch64() ? 0x4000 : 0x10000;
  private static final int O_NOFOLLOW = Syscall.aarch64() ? 0x8000 : 0x20000;
  private static final int O_CLOEXEC = 0x80000;
  private static final long OPEN = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  private static final int AT_FDCWD = -100;
  private static final int AT_REMOVEDIR = 0x200;

  /** struct open_how: flags, mode, resolve; linux/openat2.h. */
  private static final int OPEN_HOW_SIZE = 24;

  private static final long RESOLVE_NO_XDEV = 1;
  private static final long RESOLVE_NO_SYMLINKS = 4;
  private static final long RESOLVE_BENEATH = 8;

  private static final int LISTED_BYTES = 1 << 15;
  private static final byte DT_DIR = 4;
  private static final int NAME_AT = 19; // linux_dirent64: ino, off, reclen, type, name

  private final Descriptor descriptor;

  private DirectoryHandle(Descriptor descriptor) {
    this.descriptor = descriptor;
  }

  /** A name in a directory. */
  static final class Entry {
    private final byte[] name;
    private final boolean directory;

    Entry(byte[] name, boolean directory) {
      this.name = name;
      this.directory = directory;
    }

    /** As the kernel has it, which may be no text; not to be changed. */
    byte[] name() {
      return name;
    }

    /** Whether the file system says that it is one; it may not say. */
    boolean directory() {
      return directory;
    }

    private boolean isDots() {
      return name[0] == '.' && (name.length == 1 || (name.length == 2 && name[1] == '.'));
    }
  }

  /** Opens a directory that nobody but root could have put there. */
  static DirectoryHandle open(Path path) throws java.io.IOException {
    try (Arena arena = Arena.ofConfined()) {
      long name = arena.allocateFrom(path.toString()).address();
      long fd = Syscall.OPENAT.call(AT_FDCWD, name, OPEN);
      return new DirectoryHandle(new Descriptor(Syscall.OPENAT.check(path.toString(), fd)));
    }
  }

  /** Takes over what {@link #openBelow} returned. */
  static DirectoryHandle of(long number) {
    return new DirectoryHandle(new Descriptor(number));
  }

  /** The descriptor of a directory in this one, or a negated errno. */
  long openBelow(byte[] name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment how = arena.allocate(OPEN_HOW_SIZE, 8);
      how.set(JAVA_LONG, 0, OPEN);
      how.set(JAVA_LONG, 16, RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH);
      return Syscall.OPENAT2.call(
          descriptor.number(), text(arena, name), how.address(), OPEN_HOW_SIZE, 0, 0);
    }
  }

  /**
   * Reads on: some of the entries that were not read yet, without the dots. Empty at the end.
   *
   * @return the entries, or nothing and a negated errno
   */
  Listing list() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(LISTED_BYTES, 8);
      List<Entry> entries = new ArrayList<>();
      while (true) {
        long read = Syscall.GETDENTS64.call(descriptor.number(), buffer.address(), LISTED_BYTES);
        if (read <= 0) {
          return new Listing(List.of(), (int) read);
        }
        parse(buffer, read, entries);
        if (!entries.isEmpty()) {
          return new Listing(entries, 0);
        }
      }
    }
  }

  record Listing(List<Entry> entries, int error) {}

  private static void parse(MemorySegment buffer, long read, List<Entry> into) {
    var lengths = JAVA_SHORT.withOrder(ByteOrder.nativeOrder());
    long at = 0;
    while (at < read) {
      int length = Short.toUnsignedInt(buffer.get(lengths, at + 16));
      boolean directory = buffer.get(JAVA_BYTE, at + 18) == DT_DIR;
      long end = at + NAME_AT;
      while (buffer.get(JAVA_BYTE, end) != 0) {
        end++;
      }
      byte[] name = buffer.asSlice(at + NAME_AT, end - at - NAME_AT).toArray(JAVA_BYTE);
      Entry entry = new Entry(name, directory);
      if (!entry.isDots()) {
        into.add(entry);
      }
      at += length;
    }
  }

  /** Reads from the beginning again. */
  long rewind() {
    return Syscall.LSEEK.call(descriptor.number(), 0, 0);
  }

  /** 0, or a negated errno. */
  long removeFile(byte[] name) {
    return unlink(name, 0);
  }

  /** 0, or a negated errno. */
  long removeDirectory(byte[] name) {
    return unlink(name, AT_REMOVEDIR);
  }

  private long unlink(byte[] name, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      return Syscall.UNLINKAT.call(descriptor.number(), text(arena, name), flags);
    }
  }

  /** Moves an entry into another directory; 0, or a negated errno. */
  long move(byte[] name, DirectoryHandle to, byte[] newName) {
    try (Arena arena = Arena.ofConfined()) {
      return Syscall.RENAMEAT.call(
          descriptor.number(),
          text(arena, name),
          to.descriptor.number(),
          text(arena, newName),
          0,
          0);
    }
  }

  private static long text(Arena arena, byte[] name) {
    MemorySegment text = arena.allocate(name.length + 1L);
    MemorySegment.copy(name, 0, text, JAVA_BYTE, 0, name.length);
    return text.address();
  }

  @Override
  public void close() {
    descriptor.close();
  }
}
