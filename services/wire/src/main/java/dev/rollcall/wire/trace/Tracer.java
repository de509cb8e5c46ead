package dev.rollcall.wire.trace;

import dev.rollcall.wire.trace.Span.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** Starts spans. One that does not trace costs nothing. */
public final class Tracer {
  /** Of a process that does not trace. */
  public static final Tracer OFF = new Tracer(Optional.empty());

  private final Optional<OpenSpan.Recording> recording;

  private Tracer(Optional<OpenSpan.Recording> recording) {
    this.recording = recording;
  }

  /**
   * @param personal whether spans may tell of users
   * @param ended takes spans that are over; on any thread
   */
  static Tracer to(boolean personal, Consumer<EndedSpan> ended) {
    return new Tracer(Optional.of(new OpenSpan.Recording(personal, ended)));
  }

  /** A trace, by its first span. */
  public Span begin(String name, Kind kind) {
    return recording.<Span>map(on -> OpenSpan.first(on, name, kind)).orElse(Span.NONE);
  }

  /**
   * The first span of a trace, of work that was over before.
   *
   * @param end of the work, by the wall clock
   */
  public Span over(String name, Kind kind, Instant end, Duration took) {
    return recording.<Span>map(on -> OpenSpan.over(on, name, kind, end, took)).orElse(Span.NONE);
  }

  /**
   * A part of another process's span.
   *
   * @param traceparent what that process said; without one it does not trace, nor does this one
   */
  public Span join(String traceparent, String name, Kind kind) {
    return recording
        .flatMap(on ->
            TraceContext.parse(traceparent)
                .<Span>map(other -> OpenSpan.partOf(other, on, name, kind)))
        .orElse(Span.NONE);
  }
}
