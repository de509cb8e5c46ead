package dev.rollcall.linux.bpf;

import dev.rollcall.linux.ErrnoException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.NullUnmarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A look into a map of the call table's kind and size, by one bpf(2). Needs CAP_BPF. */
@State(Scope.Thread)
@NullUnmarked // JMH makes the state, and then sets it up
public class MapLookups {
  private static final int ENTRIES = 65_536;
  private static final int KEY = 48;
  private static final int VALUE = 48;
  private static final int HELD = 10_000;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment held = arena.allocate(KEY, 8);
  private final MemorySegment unknown = arena.allocate(KEY, 8);
  private final MemorySegment value = arena.allocate(VALUE, 8);
  private BpfMap map;

  @Setup(Level.Trial)
  public void fill() throws ErrnoException {
    map =
        BpfMap.create(
            new BpfMap.Shape("rollcall_bench", BpfMap.Type.LRU_HASH, KEY, VALUE, ENTRIES));
    for (int number = 0; number < HELD; number++) {
      held.set(ValueLayout.JAVA_INT, 0, number);
      map.put(held, value);
    }
    unknown.set(ValueLayout.JAVA_INT, 0, HELD);
    if (!hit() || miss()) {
      throw new IllegalStateException("the map has not what it was given");
    }
  }

  @TearDown(Level.Trial)
  public void close() {
    map.close();
    arena.close();
  }

  @Benchmark
  public boolean hit() throws ErrnoException {
    return map.lookUp(held, value);
  }

  @Benchmark
  public boolean miss() throws ErrnoException {
    return map.lookUp(unknown, value);
  }
}
