package dev.rollcall.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobIdTest {
  @Test
  void findsEveryNumberOfAJob() {
    assertEquals(Optional.of(new JobId(1)), JobId.find("1"));
    assertEquals(Optional.of(new JobId(4_294_967_295L)), JobId.find("4294967295"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "01", "-1", "+1", "1 ", "a", "4294967296", "99999999999"})
  void findsNoOther(String text) {
    assertEquals(Optional.empty(), JobId.find(text));
  }
}
