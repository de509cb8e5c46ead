package dev.rollcall.linux.bpf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Supplier;

/**
 * Reads the offsets of members in structures of the running kernel from BTF
 * (Documentation/bpf/btf.rst in the kernel's source). Types are found by walking, without an index
 * of names: the few that are asked for cost less so. Not thread-safe.
 */
public final class Btf {
  /** Where BTF is when the kernel was built with CONFIG_DEBUG_INFO_BTF. */
  public static final Path OF_KERNEL = Path.of("/sys/kernel/btf/vmlinux");

  private static final int MAGIC = 0xeb9f;
  private static final int TYPE_HEADER = 12; // u32 name, u32 info, u32 size or type
  private static final int MEMBER = 12; // u32 name, u32 type, u32 offset in bits
  private static final int ENUMERATOR = 8; // u32 name, s32 value
  private static final int STRUCT = 4;
  private static final int UNION = 5;
  private static final int ENUM = 6;
  private static final int MAX_NESTING = 32;

  private record Member(int bits, int type) {}

  private final ByteBuffer bytes;
  private final int strings;
  private final int stringsEnd;
  private int[] types = new int[1024]; // by type id: where it starts; id 0 is void
  private int count = 1;

  private Btf(ByteBuffer bytes) throws MalformedBtfException {
    this.bytes = bytes;
    if ((bytes.getShort(0) & 0xffff) != MAGIC) {
      throw new MalformedBtfException("the BTF magic is missing");
    }
    // btf_header: u16 magic, u8 version, flags, u32 header, then type and string section.
    int header = bytes.getInt(4);
    int start = Math.addExact(header, bytes.getInt(8));
    int end = Math.addExact(start, bytes.getInt(12));
    strings = Math.addExact(header, bytes.getInt(16));
    stringsEnd = Math.addExact(strings, bytes.getInt(20));
    if (header < 24
        || start < header
        || end < start
        || end > bytes.limit()
        || strings < header
        || stringsEnd < strings
        || stringsEnd > bytes.limit()) {
      throw new MalformedBtfException("the BTF sections do not fit " + bytes.limit() + " bytes");
    }
    index(start, end);
  }

  /** Some megabytes and 10 ms. */
  public static Btf read(Path file) throws IOException {
    return parse(Files.readAllBytes(file));
  }

  static Btf parse(byte[] contents) throws MalformedBtfException {
    ByteBuffer bytes = ByteBuffer.wrap(contents).order(ByteOrder.nativeOrder());
    try {
      return new Btf(bytes);
    } catch (IndexOutOfBoundsException | ArithmeticException e) {
      throw new MalformedBtfException("BTF of " + contents.length + " bytes is cut short", e);
    }
  }

  private void index(int start, int end) throws MalformedBtfException {
    for (int at = start; at < end; ) {
      if (count == types.length) {
        types = Arrays.copyOf(types, count * 2);
      }
      types[count++] = at;
      at += TYPE_HEADER + extra(bytes.getInt(at + 4));
      if (at > end) {
        throw new MalformedBtfException("BTF type " + (count - 1) + " is cut short");
      }
    }
  }

  /** Bytes after the header of a type, by its kind (the numbers of BTF_KIND_*). */
  private static int extra(int info) throws MalformedBtfException {
    int members = info & 0xffff;
    return switch (info >>> 24 & 31) {
      case 1, 14, 17 -> 4; // INT, VAR, DECL_TAG
      case 3 -> 12; // ARRAY
      case STRUCT, UNION, 15, 19 -> members * MEMBER; // and DATASEC, ENUM64
      case ENUM, 13 -> members * 8; // and FUNC_PROTO
      case 2, 7, 8, 9, 10, 11, 12, 16, 18 -> 0; // PTR, FWD, TYPEDEF to FUNC, FLOAT, TYPE_TAG
      default -> throw new MalformedBtfException("BTF kind " + (info >>> 24 & 31) + " is unknown");
    };
  }

  /**
   * The offset in bytes of a member.
   *
   * @param path {@code a.b}: through structures and anonymous members, not through pointers
   * @throws MalformedBtfException if the kernel has no such member
   */
  public int offset(String struct, String path) throws MalformedBtfException {
    return guarded(
        struct + "." + path,
        () -> {
          int type = structNamed(struct);
          int bits = 0;
          for (String name : path.split("\\.", -1)) {
            Member member = type < 0 ? new Member(0, -1) : member(type, name, new BitSet(), 0);
            bits += member.bits;
            type = member.type < 0 ? -1 : resolved(member.type);
          }
          return type < 0 ? -1 : bits / 8;
        });
  }

  public boolean has(String struct, String member) {
    try {
      return offset(struct, member) >= 0;
    } catch (MalformedBtfException e) {
      return false;
    }
  }

  /** The value of an enumerator of any enum; never negative. */
  public int enumerator(String name) throws MalformedBtfException {
    return guarded(
        name,
        () -> {
          for (int id = 1; id < count; id++) {
            int members = kind(id) == ENUM ? bytes.getInt(types[id] + 4) & 0xffff : 0;
            for (int index = 0; index < members; index++) {
              int at = types[id] + TYPE_HEADER + index * ENUMERATOR;
              if (named(bytes.getInt(at), name)) {
                return bytes.getInt(at + 4);
              }
            }
          }
          return -1;
        });
  }

  private static int guarded(String what, Supplier<Integer> question) throws MalformedBtfException {
    int answer;
    try {
      answer = question.get();
    } catch (IndexOutOfBoundsException e) {
      throw new MalformedBtfException("the BTF around " + what + " is damaged", e);
    }
    if (answer < 0) {
      throw new MalformedBtfException("the kernel's BTF has no " + what);
    }
    return answer;
  }

  private int structNamed(String name) {
    for (int id = 1; id < count; id++) {
      if (kind(id) == STRUCT && named(bytes.getInt(types[id]), name)) {
        return id;
      }
    }
    return -1;
  }

  /**
   * The member of that name; of type -1 if there is none.
   *
   * @param searched the structures that need not be searched again, and are not: damaged ones can
   *     be in themselves
   */
  private Member member(int id, String name, BitSet searched, int nesting) {
    if (nesting > MAX_NESTING || searched.get(id) || (kind(id) != STRUCT && kind(id) != UNION)) {
      return new Member(0, -1);
    }
    searched.set(id);
    int info = bytes.getInt(types[id] + 4);
    for (int index = 0; index < (info & 0xffff); index++) {
      int at = types[id] + TYPE_HEADER + index * MEMBER;
      int offset = bytes.getInt(at + 8);
      int bits = info < 0 ? offset & 0xffffff : offset; // kind_flag: a bit field's width on top
      int type = bytes.getInt(at + 4);
      if (named(bytes.getInt(at), name)) {
        return new Member(bits, type);
      }
      if (named(bytes.getInt(at), "")) {
        Member inside = member(resolved(type), name, searched, nesting + 1);
        if (inside.type >= 0) {
          return new Member(bits + inside.bits, inside.type);
        }
      }
    }
    return new Member(0, -1);
  }

  /** Past typedefs (8), volatile, const, restrict (9 to 11) and type tags (18). */
  private int resolved(int id) {
    for (int step = 0; step < MAX_NESTING; step++) {
      int kind = kind(id);
      if (kind != 18 && (kind < 8 || kind > 11)) {
        return id;
      }
      id = bytes.getInt(types[id] + 8);
    }
    return 0;
  }

  private int kind(int id) {
    return id == 0
        ? 0
        : bytes.getInt(types[java.util.Objects.checkIndex(id, count)] + 4) >>> 24 & 31;
  }

  private boolean named(int offset, String name) {
    byte[] wanted = name.getBytes(StandardCharsets.US_ASCII);
    int at = strings + offset;
    if (offset < 0 || at < strings || at + wanted.length >= stringsEnd) {
      return false;
    }
    for (int index = 0; index < wanted.length; index++) {
      if (bytes.get(at + index) != wanted[index]) {
        return false;
      }
    }
    return bytes.get(at + wanted.length) == 0;
  }
}
