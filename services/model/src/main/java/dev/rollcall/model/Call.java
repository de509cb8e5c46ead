package dev.rollcall.model;

import static java.util.Objects.requireNonNull;

/** A connection, as its caller's end sees it, and its caller. */
public record Call(Connection connection, Caller caller) {
  public Call {
    requireNonNull(connection, "connection");
    requireNonNull(caller, "caller");
  }
}
