package dev.rollcall.linux.bpf;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.ErrnoException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A program that the verifier has accepted. */
public final class BpfProgram implements AutoCloseable {
  /** Kinds of programs, each with the way it is attached (BPF_CGROUP_SOCK_OPS and so on). */
  public enum Type {
    SOCK_OPS(13, 3),
    CGROUP_DEVICE(15, 6),
    RAW_TRACEPOINT(17, 0); // opened by name

    private final int number;
    final int attachType;

    Type(int number, int attachType) {
      this.number = number;
      this.attachType = attachType;
    }
  }

  /**
   * What makes two programs the same to their users.
   *
   * @param tag the kernel's hash of the instructions, without the maps
   * @param maps ids of the maps it uses
   */
  public record Identity(String tag, Set<Integer> maps) {
    public Identity {
      maps = Set.copyOf(maps);
    }
  }

  private static final int LOG_SIZE = 1 << 18;
  private static final int MAX_MAPS = 64;

  private final Type type;
  private final Descriptor descriptor;

  private BpfProgram(Type type, Descriptor descriptor) {
    this.type = type;
    this.descriptor = descriptor;
  }

  /**
   * Has the kernel verify and take the instructions.
   *
   * @param name at most 15 characters
   * @param license decides about helpers; "GPL" and "Dual MIT/GPL" allow all
   * @throws RefusedProgramException with the end of the verifier's log
   */
  public static BpfProgram load(Type type, String name, String license, byte[] instructions)
      throws RefusedProgramException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attr = BpfCommand.attr(arena);
      attr.set(JAVA_INT, 0, type.number);
      attr.set(JAVA_INT, 4, instructions.length / 8);
      attr.set(JAVA_LONG, 8, arena.allocateFrom(JAVA_BYTE, instructions).address());
      attr.set(JAVA_LONG, 16, arena.allocateFrom(license).address());
      attr.setString(48, name);
      long loaded = BpfCommand.PROG_LOAD.call(attr);
      if (loaded >= 0) {
        return new BpfProgram(type, new Descriptor(loaded));
      }
      // Again, with the log: it costs so much that a good program is loaded without one.
      MemorySegment log = arena.allocate(LOG_SIZE, 8);
      attr.set(JAVA_INT, 24, 1);
      attr.set(JAVA_INT, 28, LOG_SIZE);
      attr.set(JAVA_LONG, 32, log.address());
      loaded = BpfCommand.PROG_LOAD.call(attr);
      if (loaded >= 0) {
        return new BpfProgram(type, new Descriptor(loaded));
      }
      throw new RefusedProgramException(name, (int) -loaded, log.getString(0));
    }
  }

  /** The program with this number; fails with ENOENT if it is gone. */
  static BpfProgram withId(Type type, int id) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attr = BpfCommand.attr(arena);
      attr.set(JAVA_INT, 0, id);
      return new BpfProgram(
          type, new Descriptor(BpfCommand.PROG_GET_FD_BY_ID.check("program " + id, attr)));
    }
  }

  /** struct bpf_prog_info: 8 tag, 52 u32 number of maps, 56 pointer to their ids. */
  public Identity identity() throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment info = arena.allocate(80, 8);
      MemorySegment ids = arena.allocate(JAVA_INT, MAX_MAPS);
      info.set(JAVA_INT, 52, MAX_MAPS);
      info.set(JAVA_LONG, 56, ids.address());
      BpfCommand.info(descriptor, "program", info);
      int count = Math.min(info.get(JAVA_INT, 52), MAX_MAPS);
      return new Identity(
          HexFormat.of().formatHex(info.asSlice(8, 8).toArray(JAVA_BYTE)),
          IntStream.range(0, count)
              .mapToObj(index -> ids.getAtIndex(JAVA_INT, index))
              .collect(Collectors.toSet()));
    }
  }

  /** As it was given when it was loaded: struct bpf_prog_info, 64 name. */
  public String name() throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment info = arena.allocate(80, 8);
      BpfCommand.info(descriptor, "program", info);
      return info.getString(64);
    }
  }

  public void pin(Path path) throws ErrnoException {
    BpfCommand.pin(descriptor, path);
  }

  Type type() {
    return type;
  }

  int descriptor() {
    return descriptor.number();
  }

  @Override
  public void close() {
    descriptor.close();
  }
}
