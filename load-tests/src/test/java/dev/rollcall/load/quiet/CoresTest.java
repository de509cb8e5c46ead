package dev.rollcall.load.quiet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.load.bench.BenchFailedException;
import org.junit.jupiter.api.Test;

class CoresTest {
  @Test
  void theLastProcessorIsMeasured() {
    assertEquals(new Cores("1", "0"), Cores.of("0-1"));
    assertEquals(new Cores("9", "0,2,3,4"), Cores.of("0,2-4,9"));
  }

  @Test
  void oneProcessorIsTooFew() {
    var e = assertThrows(BenchFailedException.class, () -> Cores.of("3"));
    assertTrue(e.toString().contains("has only 3"), e.toString());
  }
}
