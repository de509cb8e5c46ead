package dev.rollcall.linux.bpf;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rollcall.linux.Descriptor;
import dev.rollcall.linux.Errno;
import dev.rollcall.linux.ErrnoException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;

/** A BPF map in the kernel. Thread-safe, as the kernel's maps are. */
public final class BpfMap implements AutoCloseable {
  /** Kinds of maps, with the kernel that brought them. */
  public enum Type {
    HASH(1, 0),
    ARRAY(2, 0),
    LRU_HASH(9, 0), // 4.10
    LPM_TRIE(11, 1), // 4.11; must be BPF_F_NO_PREALLOC
    RINGBUF(27, 0); // 5.8

    private final int number;
    private final int flags;

    Type(int number, int flags) {
      this.number = number;
      this.flags = flags;
    }
  }

  /**
   * What a map is made of.
   *
   * @param name at most 15 characters, for bpftool
   * @param keySize in bytes, 0 for a ring buffer
   * @param entries at most; for a ring buffer its bytes, a power of two
   */
  public record Shape(String name, Type type, int keySize, int valueSize, int entries) {}

  private static final int BPF_ANY = 0;
  private static final int MAP_INFO_SIZE = 24; // struct bpf_map_info: type, id, key, value, max

  private final Shape shape;
  private final Descriptor descriptor;

  private BpfMap(Shape shape, Descriptor descriptor) {
    this.shape = shape;
    this.descriptor = descriptor;
  }

  /**
   * @throws ErrnoException EPERM without CAP_BPF, or before 5.11 with too small an RLIMIT_MEMLOCK
   */
  public static BpfMap create(Shape shape) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attr = BpfCommand.attr(arena);
      attr.set(JAVA_INT, 0, shape.type.number);
      attr.set(JAVA_INT, 4, shape.keySize);
      attr.set(JAVA_INT, 8, shape.valueSize);
      attr.set(JAVA_INT, 12, shape.entries);
      attr.set(JAVA_INT, 16, shape.type.flags);
      attr.setString(28, shape.name);
      Descriptor made = new Descriptor(BpfCommand.MAP_CREATE.check(shape.name, attr));
      return new BpfMap(shape, made);
    }
  }

  /** The map that is pinned there; empty if it has another shape. */
  public static Optional<BpfMap> open(Path pin, Shape shape) throws ErrnoException {
    Descriptor pinned = BpfCommand.open(pin);
    MemorySegment info = info(pinned, pin.toString());
    boolean same =
        info.getAtIndex(JAVA_INT, 0) == shape.type.number
            && info.getAtIndex(JAVA_INT, 2) == shape.keySize
            && info.getAtIndex(JAVA_INT, 3) == shape.valueSize
            && info.getAtIndex(JAVA_INT, 4) == shape.entries;
    if (!same) {
      pinned.close();
      return Optional.empty();
    }
    return Optional.of(new BpfMap(shape, pinned));
  }

  private static MemorySegment info(Descriptor map, String subject) throws ErrnoException {
    MemorySegment info = Arena.ofAuto().allocate(MAP_INFO_SIZE, 8);
    BpfCommand.info(map, subject, info);
    return info;
  }

  public void pin(Path path) throws ErrnoException {
    BpfCommand.pin(descriptor, path);
  }

  public Shape shape() {
    return shape;
  }

  public int descriptor() {
    return descriptor.number();
  }

  /** Copies the key's value into the segment; false if the key is not there. */
  public boolean lookUp(MemorySegment key, MemorySegment value) throws ErrnoException {
    long result = element(BpfCommand.MAP_LOOKUP_ELEM, key, value.address());
    return found(BpfCommand.MAP_LOOKUP_ELEM, result);
  }

  public void put(MemorySegment key, MemorySegment value) throws ErrnoException {
    BpfCommand update = BpfCommand.MAP_UPDATE_ELEM;
    update.check(shape.name, element(update, key, value.address()));
  }

  /** False if the key was not there. */
  public boolean remove(MemorySegment key) throws ErrnoException {
    return found(
        BpfCommand.MAP_DELETE_ELEM, element(BpfCommand.MAP_DELETE_ELEM, key, /* value */ 0));
  }

  /** Copies the key after this one, in the map's own order; false after the last. */
  boolean next(Optional<MemorySegment> key, MemorySegment next) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attr = BpfCommand.attr(arena);
      attr.set(JAVA_INT, 0, descriptor.number());
      attr.set(JAVA_LONG, 8, key.map(MemorySegment::address).orElse(0L));
      attr.set(JAVA_LONG, 16, next.address());
      return found(BpfCommand.MAP_GET_NEXT_KEY, BpfCommand.MAP_GET_NEXT_KEY.call(attr));
    }
  }

  private long element(BpfCommand command, MemorySegment key, long value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attr = BpfCommand.attr(arena);
      attr.set(JAVA_INT, 0, descriptor.number());
      attr.set(JAVA_LONG, 8, key.address());
      attr.set(JAVA_LONG, 16, value);
      attr.set(JAVA_LONG, 24, BPF_ANY);
      return command.call(attr);
    }
  }

  private boolean found(BpfCommand command, long result) throws ErrnoException {
    if (result == -Errno.ENOENT.number()) {
      return false;
    }
    command.check(shape.name, result);
    return true;
  }

  @Override
  public void close() {
    descriptor.close();
  }
}
