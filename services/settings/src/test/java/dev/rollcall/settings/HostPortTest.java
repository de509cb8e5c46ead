package dev.rollcall.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostPortTest {
  @ParameterizedTest
  @CsvSource({
    "localhost:1, true",
    "127.0.0.1:1, true",
    "127.255.9.10:1, true",
    "[::1]:1, true",
    "127.999.1.1:1, false",
    "127.0.0.256:1, false",
    "127.example.org:1, false",
    "gate-1.example.org:7450, false",
    "[fe80::1%eth0]:1, false"
  })
  void aHostAndAPortAreRead(String text, boolean loopback) {
    HostPort read = HostPort.parse(text);
    assertEquals(text, read.toString());
    assertEquals(loopback, read.loopback());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"gate", "gate:", ":1", "gate 1:7450", "ga/te:1", "[]:1", "a:65536", "::1:1"})
  void anythingElseIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> HostPort.parse(text));
  }
}
