package dev.rollcall.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.rollcall.model.allocation.CpuMax;
import dev.rollcall.model.allocation.DeviceRule;
import dev.rollcall.model.allocation.IoMax;
import dev.rollcall.model.allocation.NumberList;
import dev.rollcall.model.allocation.Rlimit;
import java.util.List;
import java.util.function.Function;

/** Words of allocations, endpoints, jobs, steps and nodes: each says itself as it is read. */
class AllocationFuzzTest {
  private static final List<Function<String, ?>> READERS =
      List.of(
          NumberList::new,
          CpuMax::parse,
          IoMax::parse,
          DeviceRule::parse,
          Rlimit::parse,
          Endpoint::parse,
          JobId::parse,
          StepId::new,
          NodeName::new);

  @FuzzTest
  void fuzz(byte[] input) {
    String text = new String(input, UTF_8);
    READERS.forEach(reader -> readsAgain(reader, text));
  }

  private static void readsAgain(Function<String, ?> reader, String text) {
    Object read;
    try {
      read = reader.apply(text);
    } catch (IllegalArgumentException e) {
      assertFalse(String.valueOf(e.getMessage()).isBlank());
      return;
    }
    assertEquals(read, reader.apply(read.toString()), text);
  }
}
