package dev.rollcall.model;

import static java.util.Objects.requireNonNull;

/** A connection, by its caller's end, and its caller. */
public record Call(Connection connection, Caller caller) {
  public Call {
    requireNonNull(connection, "connection");
    requireNonNull(caller, "caller");
  }
}
