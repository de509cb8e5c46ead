package dev.rollcall.wire.trace;

import java.util.Map;
import java.util.Optional;

/**
 * A span that is over.
 *
 * @param parent the id of the span that it is a part of, in this process or another
 * @param startNanos since 1970
 * @param endNanos likewise
 * @param failure that it did not succeed; why, if that may be told
 */
record EndedSpan(
    TraceContext context,
    Optional<String> parent,
    String name,
    Span.Kind kind,
    long startNanos,
    long endNanos,
    Map<String, String> attributes,
    Optional<String> failure) {
  EndedSpan {
    attributes = Map.copyOf(attributes);
  }
}
