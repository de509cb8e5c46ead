package dev.rollcall.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressTextTest {
  @ParameterizedTest
  @CsvSource({
    "10.77.0.1, 10.77.0.1",
    "::ffff:10.77.0.1, 10.77.0.1",
    "fd77:0:0:0:0:0:0:1, fd77::1",
    "FD77::ABCD, fd77::abcd",
    "0:0:0:0:0:0:0:1, ::1",
    "0:0:0:0:0:0:0:0, ::",
    "fd77:0:0:0:0:0:0:0, fd77::",
    // RFC 5952, sections 4.2.2 and 4.2.3: one group of zeros stays, the longest run goes, the first
    // of equal ones
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
    "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
    "1:2:3:4:5:6:7:8, 1:2:3:4:5:6:7:8",
  })
  void writesAnAddressAsRfc5952Recommends(String read, String written) {
    assertEquals(written, AddressText.of(Endpoint.addressOf(read)));
  }
}
