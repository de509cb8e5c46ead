package dev.rollcall.linux.files;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Some entries of a directory, as getdents64(2) tells them.
 *
 * @param entries without the dots
 * @param error 0, or a negated errno: then there are no entries
 */
record DirectoryEntries(List<Entry> entries, int error) {
  private static final byte DT_DIR = 4;
  private static final int NAME_AT = 19; // linux_dirent64: ino, off, reclen, type, name

  /**
   * A name in a directory.
   *
   * @param name as the kernel has it, which may be no text; not to be changed
   * @param directory whether the file system says that it is one; it may not say
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Entry(byte[] name, boolean directory) {
    private boolean isDots() {
      return name[0] == '.' && (name.length == 1 || (name.length == 2 && name[1] == '.'));
    }
  }

  /** What the kernel wrote, which may be the dots alone. */
  static DirectoryEntries parse(MemorySegment buffer, long length) {
    var lengths = JAVA_SHORT.withOrder(ByteOrder.nativeOrder());
    List<Entry> entries = new ArrayList<>();
    long at = 0;
    while (at < length) {
      boolean directory = buffer.get(JAVA_BYTE, at + 18) == DT_DIR;
      long end = at + NAME_AT;
      while (buffer.get(JAVA_BYTE, end) != 0) {
        end++;
      }
      byte[] name = buffer.asSlice(at + NAME_AT, end - at - NAME_AT).toArray(JAVA_BYTE);
      Entry entry = new Entry(name, directory);
      if (!entry.isDots()) {
        entries.add(entry);
      }
      at += Short.toUnsignedInt(buffer.get(lengths, at + 16));
    }
    return new DirectoryEntries(entries, 0);
  }
}
