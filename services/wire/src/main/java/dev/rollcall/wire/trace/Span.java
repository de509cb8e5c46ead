package dev.rollcall.wire.trace;

/**
 * A piece of work in a trace, with its start and end. Used by one thread after the other, never by
 * two at once. Each method here is that of a process that does not trace: it does nothing.
 */
public interface Span {
  /** Of a process that does not trace. */
  Span NONE = new Span() {};

  /** Which side of a question it is. */
  enum Kind {
    /** None: the process's own work. */
    INTERNAL,
    /** The side that was asked. */
    SERVER,
    /** The side that asks. */
    CLIENT
  }

  /** A part of it that begins now. */
  default Span child(String name, Kind kind) {
    return this;
  }

  /** A part of it, of the process's own, that begins now. */
  default Span child(String name) {
    return child(name, Kind.INTERNAL);
  }

  /** Makes it a part of a span that may be over; before it has parts itself. */
  default void continues(String traceparent) {}

  default Span with(String key, String value) {
    return this;
  }

  /** The same for what is about a user: it is left out where the site has not chosen it. */
  default Span withPersonal(String key, String value) {
    return this;
  }

  /** The work did not succeed. Why not is told where spans may tell of users. */
  default Span failed(String why) {
    return this;
  }

  default void end() {}

  /** For those who are asked on its behalf; empty when nothing is traced. */
  default String traceparent() {
    return "";
  }
}
