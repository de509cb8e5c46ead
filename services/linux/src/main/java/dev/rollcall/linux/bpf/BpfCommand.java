package dev.rollcall.linux.bpf;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.Syscall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * The commands of bpf(2) in use. Their arguments are the offsets of {@code union bpf_attr},
 * linux/bpf.h; kernels take a larger union than they know if the rest is zero.
 */
enum BpfCommand {
  MAP_CREATE(0),
  MAP_LOOKUP_ELEM(1),
  MAP_UPDATE_ELEM(2),
  MAP_DELETE_ELEM(3),
  MAP_GET_NEXT_KEY(4),
  PROG_LOAD(5),
  OBJ_PIN(6),
  OBJ_GET(7),
  PROG_ATTACH(8),
  PROG_DETACH(9),
  PROG_GET_FD_BY_ID(13),
  OBJ_GET_INFO_BY_FD(15),
  PROG_QUERY(16),
  RAW_TRACEPOINT_OPEN(17),
  LINK_CREATE(28),
  LINK_UPDATE(29);

  private static final int ATTR_SIZE = 152;

  private final int number;

  BpfCommand(int number) {
    this.number = number;
  }

  static MemorySegment attr(Arena arena) {
    return arena.allocate(ATTR_SIZE, 8);
  }

  /** The result, or the negated errno. */
  long call(MemorySegment attr) {
    return Syscall.BPF.call(number, attr.address(), ATTR_SIZE);
  }

  long check(String subject, MemorySegment attr) throws ErrnoException {
    return check(subject, call(attr));
  }

  long check(String subject, long result) throws ErrnoException {
    return Syscall.BPF.check(name() + " " + subject, result);
  }

  static void pin(Descriptor object, Path path) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attr = attr(arena);
      attr.set(JAVA_LONG, 0, arena.allocateFrom(path.toString()).address());
      attr.set(JAVA_INT, 8, object.number());
      OBJ_PIN.check(path.toString(), attr);
    }
  }

  static Descriptor open(Path path) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attr = attr(arena);
      attr.set(JAVA_LONG, 0, arena.allocateFrom(path.toString()).address());
      return new Descriptor(OBJ_GET.check(path.toString(), attr));
    }
  }

  /** Fills the segment with as much of the object's info as the kernel has. */
  static void info(Descriptor object, String subject, MemorySegment info) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attr = attr(arena);
      attr.set(JAVA_INT, 0, object.number());
      attr.set(JAVA_INT, 4, (int) info.byteSize());
      attr.set(JAVA_LONG, 8, info.address());
      OBJ_GET_INFO_BY_FD.check(subject, attr);
    }
  }
}
