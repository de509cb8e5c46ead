package dev.rollcall.settings;

/** A configuration that cannot be used. Its message is for people, and names file and line. */
public final class BadConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  /** With a message that names file, line and key. */
  public BadConfigException(String message) {
    super(message);
  }
}
