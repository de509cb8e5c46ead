package dev.rollcall.linux.bpf;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.rollcall.linux.ErrnoException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A small map of single bytes whose whole contents are written at once. */
public record BpfSet(BpfMap map) {
  /**
   * Makes the map hold exactly these. What is in it before and after is in it all the time.
   *
   * @param wanted by the bytes of the key
   */
  public void become(Map<ByteBuffer, Byte> wanted) throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      Map<ByteBuffer, Byte> copy = new HashMap<>(wanted);
      MemorySegment value = arena.allocate(1);
      for (Map.Entry<ByteBuffer, Byte> entry : copy.entrySet()) {
        value.set(JAVA_BYTE, 0, entry.getValue());
        map.put(segment(arena, entry.getKey()), value);
      }
      Set<ByteBuffer> unwanted = keys(arena);
      unwanted.removeAll(copy.keySet());
      for (ByteBuffer key : unwanted) {
        map.remove(segment(arena, key));
      }
    }
  }

  /** The bytes of the keys that are in it now. */
  public Set<ByteBuffer> keys() throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      return keys(arena);
    }
  }

  private Set<ByteBuffer> keys(Arena arena) throws ErrnoException {
    Set<ByteBuffer> keys = new HashSet<>();
    MemorySegment key = arena.allocate(map.shape().keySize(), 8);
    Optional<MemorySegment> last = Optional.empty();
    // Bounded by the map's size, in case another process changes it meanwhile.
    for (int count = 0; count < map.shape().entries() && map.next(last, key); count++) {
      keys.add(ByteBuffer.wrap(key.toArray(JAVA_BYTE)));
      last = Optional.of(key);
    }
    return keys;
  }

  private static MemorySegment segment(Arena arena, ByteBuffer bytes) {
    MemorySegment segment = arena.allocate(bytes.remaining(), 8);
    segment.copyFrom(MemorySegment.ofBuffer(bytes));
    return segment;
  }
}
