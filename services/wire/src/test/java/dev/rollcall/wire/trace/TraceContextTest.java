package dev.rollcall.wire.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples are those of W3C's Trace Context. */
class TraceContextTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SPAN = "00f067aa0ba902b7";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00-" + TRACE + "-" + SPAN + "-01",
        "00-" + TRACE + "-" + SPAN + "-03",
        "cc-" + TRACE + "-" + SPAN + "-01",
        "cc-" + TRACE + "-" + SPAN + "-01-what-the-future-will-be-like"
      })
  void readsWhatAnotherProcessSays(String text) {
    assertEquals(Optional.of(new TraceContext(TRACE, SPAN)), TraceContext.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "00-" + TRACE + "-" + SPAN + "-00",
        "00-" + TRACE + "-" + SPAN + "-01-more",
        "00-" + TRACE + "-" + SPAN + "-01.",
        "cc-" + TRACE + "-" + SPAN + "-01.what",
        "ff-" + TRACE + "-" + SPAN + "-01",
        "00-00000000000000000000000000000000-" + SPAN + "-01",
        "00-" + TRACE + "-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-" + SPAN + "-01",
        "00-" + TRACE + "-" + SPAN + "-1",
        "00-" + TRACE + "-" + SPAN + "-zz",
        "0a" + TRACE + SPAN + "01"
      })
  void whatIsNoTraceOrIsNotRecordedIsNone(String text) {
    assertEquals(Optional.empty(), TraceContext.parse(text));
  }

  @Test
  void aTextWithoutEndIsNotRead() {
    assertEquals(
        Optional.empty(),
        TraceContext.parse("cc-" + TRACE + "-" + SPAN + "-01-" + "x".repeat(100_000)));
  }

  @Test
  void whatItSaysItReads() {
    var first = TraceContext.fresh();
    assertEquals(Optional.of(first), TraceContext.parse(first.text()));
    assertEquals(first.trace(), first.another().trace());
    assertNotEquals(first.span(), first.another().span());
    assertTrue(first.text().matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01"), first.text());
  }
}
