package dev.rollcall.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** The words of a PAM line, one a line of the input. */
class OptionsFuzzTest {
  @FuzzTest
  void fuzz(byte[] input) {
    try {
      AdoptOptionsParser.parse(new String(input, UTF_8).lines().toList());
    } catch (IllegalArgumentException e) {
      assertFalse(String.valueOf(e.getMessage()).isBlank());
    }
  }
}
