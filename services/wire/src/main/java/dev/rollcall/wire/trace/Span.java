package dev.rollcall.wire.trace;

/**
 * A piece of work in a trace, with its start and end. Used by one thread after the other, never by
 * two at once.
 */
public interface Span {
  /** Of a process that does not trace. */
  Span NONE =
      new Span() {
        @Override
        public Span child(String name, Kind kind) {
          return this;
        }

        @Override
        public void continues(String traceparent) {}

        @Override
        public Span with(String key, String value) {
          return this;
        }

        @Override
        public Span withPersonal(String key, String value) {
          return this;
        }

        @Override
        public Span failed(String why) {
          return this;
        }

        @Override
        public void end() {}

        @Override
        public String traceparent() {
          return "";
        }
      };

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
  Span child(String name, Kind kind);

  /** A part of it, of the process's own, that begins now. */
  default Span child(String name) {
    return child(name, Kind.INTERNAL);
  }

  /** Makes it a part of a span that may be over; before it has parts itself. */
  void continues(String traceparent);

  Span with(String key, String value);

  /** The same for what is about a user: it is left out where the site has not chosen it. */
  Span withPersonal(String key, String value);

  /** The work did not succeed. Why not is told where spans may tell of users. */
  Span failed(String why);

  void end();

  /** For those who are asked on its behalf; empty when nothing is traced. */
  String traceparent();
}
