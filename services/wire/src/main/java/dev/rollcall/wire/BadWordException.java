package dev.rollcall.wire;

/** A message that says what cannot be. Its text names the field and the value. */
public final class BadWordException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public BadWordException(String field, String problem) {
    super(field + ": " + problem);
  }
}
