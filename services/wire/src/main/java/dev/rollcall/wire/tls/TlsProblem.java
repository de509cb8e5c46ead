package dev.rollcall.wire.tls;

/** An error in the TLS files of an identity; the message names the file. */
final class TlsProblem extends Exception {
  private static final long serialVersionUID = 1;

  TlsProblem(String message) {
    super(message);
  }

  TlsProblem(String message, Throwable cause) {
    super(message, cause);
  }

  String text() {
    return String.valueOf(getMessage());
  }
}
