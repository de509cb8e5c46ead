package dev.rollcall.linux.process;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NativeHeapTest {
  /** Too small for a mapping of its own: mallopt(3), M_MMAP_THRESHOLD. */
  private static final long BLOCK = 64 << 10;

  @Test
  void whatIsFreeBelowABlockInUseGoesBack() {
    List<Arena> blocks = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      Arena block = Arena.ofConfined();
      block.allocate(BLOCK).fill((byte) 1);
      blocks.add(block);
    }
    try (Arena last = blocks.removeLast()) {
      blocks.forEach(Arena::close);

      assertTrue(NativeHeap.trim());
      assertTrue(last.scope().isAlive());
    }
  }
}
