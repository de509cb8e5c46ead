package dev.rollcall.gateway;

/** A configuration that cannot be used. Its message is for people, and names file and line. */
final class BadConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  BadConfigException(String message) {
    super(message);
  }
}
