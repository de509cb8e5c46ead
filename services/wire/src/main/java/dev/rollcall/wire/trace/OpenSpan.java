package dev.rollcall.wire.trace;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** A span that is recorded. */
final class OpenSpan implements Span {
  /**
   * What a process's spans have in common.
   *
   * @param personal whether they may tell of users
   * @param ended takes them
   */
  record Recording(boolean personal, Consumer<EndedSpan> ended) {}

  private final Recording recording;
  private final NanoTime time;
  private final String name;
  private final Kind kind;
  private long startNanos;
  private OptionalLong endNanos = OptionalLong.empty();
  private final Map<String, String> attributes = new HashMap<>();
  private TraceContext context;
  private Optional<String> parent;
  private Optional<String> failure = Optional.empty();
  private boolean over;

  private OpenSpan(
      Recording recording,
      NanoTime time,
      TraceContext context,
      Optional<String> parent,
      String name,
      Kind kind) {
    this.recording = recording;
    this.time = time;
    this.context = context;
    this.parent = parent;
    this.name = name;
    this.kind = kind;
    this.startNanos = time.now();
  }

  static OpenSpan first(Recording recording, String name, Kind kind) {
    return new OpenSpan(
        recording, new NanoTime(), TraceContext.fresh(), Optional.empty(), name, kind);
  }

  /** The first span of a trace, of work that ended then. */
  static OpenSpan over(Recording recording, String name, Kind kind, Instant end, Duration took) {
    OpenSpan span = first(recording, name, kind);
    long endNanos = NanoTime.of(end);
    span.startNanos = endNanos - took.toNanos();
    span.endNanos = OptionalLong.of(endNanos);
    return span;
  }

  static OpenSpan partOf(TraceContext other, Recording recording, String name, Kind kind) {
    return new OpenSpan(
        recording, new NanoTime(), other.another(), Optional.of(other.span()), name, kind);
  }

  @Override
  public Span child(String name, Kind kind) {
    return new OpenSpan(
        recording, time, context.another(), Optional.of(context.span()), name, kind);
  }

  @Override
  public void continues(String traceparent) {
    TraceContext.parse(traceparent)
        .ifPresent(earlier -> {
          context = earlier.another();
          parent = Optional.of(earlier.span());
        });
  }

  @Override
  public Span with(String key, String value) {
    attributes.put(key, value);
    return this;
  }

  @Override
  public Span withPersonal(String key, String value) {
    return recording.personal() ? with(key, value) : this;
  }

  @Override
  public Span failed(String why) {
    failure = Optional.of(recording.personal() ? why : "");
    return this;
  }

  @Override
  public void end() {
    if (over) {
      return;
    }
    over = true;
    recording
        .ended()
        .accept(
            new EndedSpan(
                context,
                parent,
                name,
                kind,
                startNanos,
                endNanos.orElseGet(time::now),
                attributes,
                failure));
  }

  @Override
  public String traceparent() {
    return context.text();
  }
}
