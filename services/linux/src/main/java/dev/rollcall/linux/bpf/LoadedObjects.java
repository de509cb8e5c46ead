package dev.rollcall.linux.bpf;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Counts the BPF objects of all owners in the kernel: bpf(2), Linux 4.13. What nobody refers to any
 * more is freed by the kernel a moment later.
 */
public record LoadedObjects(int programs, int maps) {
  /**
   * Counts them.
   *
   * @throws ErrnoException EPERM without CAP_SYS_ADMIN
   */
  public static LoadedObjects now() throws ErrnoException {
    return new LoadedObjects(count(BpfCommand.PROG_GET_NEXT_ID), count(BpfCommand.MAP_GET_NEXT_ID));
  }

  /** union bpf_attr: 0 start_id, 4 next_id. */
  private static int count(BpfCommand next) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attr = BpfCommand.attr(arena);
      int found = 0;
      long result = next.call(attr);
      while (result == 0) {
        found++;
        attr.set(JAVA_INT, 0, attr.get(JAVA_INT, 4));
        result = next.call(attr);
      }
      if (result != -Errno.ENOENT.number()) {
        next.check("after " + attr.get(JAVA_INT, 0), result);
      }
      return found;
    }
  }
}
