package dev.rollcall.linux.bpf;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.ErrnoException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A program attached to a cgroup2 beside other programs, as long as this or a pin is open. Linux
 * 5.7.
 */
public final class BpfLink implements AutoCloseable {
  private final BpfProgram.Type type;
  private final Descriptor descriptor;

  private BpfLink(BpfProgram.Type type, Descriptor descriptor) {
    this.type = type;
    this.descriptor = descriptor;
  }

  /**
   * Attaches.
   *
   * @param cgroup a directory of the cgroup2 hierarchy
   * @throws ErrnoException EINVAL before 5.7, EBADF if it is no cgroup2 directory, EPERM if a
   *     program that does not allow others is attached
   */
  public static BpfLink create(BpfProgram program, Path cgroup) throws ErrnoException {
    try (Arena arena = Arena.ofConfined();
        Descriptor directory = Descriptor.open(cgroup)) {
      MemorySegment attr = BpfCommand.attr(arena);
      attr.set(JAVA_INT, 0, program.descriptor());
      attr.set(JAVA_INT, 4, directory.number());
      attr.set(JAVA_INT, 8, program.type().attachType);
      long link = BpfCommand.LINK_CREATE.check("to " + cgroup, attr);
      return new BpfLink(program.type(), new Descriptor(link));
    }
  }

  /**
   * Attaches to a raw tracepoint of the whole machine, Linux 4.17.
   *
   * @throws ErrnoException ENOENT if there is no tracepoint of this name
   */
  public static BpfLink tracepoint(BpfProgram program, String name) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attr = BpfCommand.attr(arena);
      attr.set(JAVA_LONG, 0, arena.allocateFrom(name).address());
      attr.set(JAVA_INT, 8, program.descriptor());
      long link = BpfCommand.RAW_TRACEPOINT_OPEN.check("to " + name, attr);
      return new BpfLink(program.type(), new Descriptor(link));
    }
  }

  public static BpfLink open(Path pin, BpfProgram.Type type) throws ErrnoException {
    return new BpfLink(type, BpfCommand.open(pin));
  }

  /** The id of the cgroup it is attached to; 0 once that is gone. */
  public long cgroup() throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      return info(arena).get(JAVA_LONG, 16);
    }
  }

  /** What is attached now. */
  public BpfProgram.Identity program() throws ErrnoException {
    try (Arena arena = Arena.ofConfined();
        BpfProgram program = BpfProgram.withId(type, info(arena).get(JAVA_INT, 8))) {
      return program.identity();
    }
  }

  /** Puts another program in the place of the one attached, with no moment without either. */
  public void replace(BpfProgram program) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attr = BpfCommand.attr(arena);
      attr.set(JAVA_INT, 0, descriptor.number());
      attr.set(JAVA_INT, 4, program.descriptor());
      BpfCommand.LINK_UPDATE.check("to another program", attr);
    }
  }

  public void pin(Path path) throws ErrnoException {
    BpfCommand.pin(descriptor, path);
  }

  /** struct bpf_link_info: 0 type, 4 id, 8 program id, 16 u64 cgroup id, 24 attach type. */
  private MemorySegment info(Arena arena) throws ErrnoException {
    MemorySegment info = arena.allocate(32, 8);
    BpfCommand.info(descriptor, "link", info);
    return info;
  }

  @Override
  public void close() {
    descriptor.close();
  }
}
