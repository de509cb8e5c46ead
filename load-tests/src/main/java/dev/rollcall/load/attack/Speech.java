package dev.rollcall.load.attack;

import java.io.IOException;
import java.io.InputStream;

/** Writes an attack's operations in the language of one protocol, on one connection. */
interface Speech {
  /** The connection's bytes to the server. */
  interface Sink {
    void write(byte[] bytes) throws IOException;

    /** Sends what was written, in a record of its own. */
    void flush() throws IOException;
  }

  /** Begins the connection as the protocol wants it. */
  default void begin(Sink sink) throws IOException {}

  /** Writes what the operation means here, which can be nothing. */
  void say(Step step, Sink sink) throws IOException;

  /** Reads what the server writes until the connection ends. */
  default void read(InputStream in, Sink sink) throws IOException {
    in.transferTo(java.io.OutputStream.nullOutputStream());
  }
}
