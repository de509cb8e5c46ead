package dev.rollcall.load.bench;

/** Something could not be measured. The message names what, and why. */
public final class BenchFailedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public BenchFailedException(String message) {
    super(message);
  }

  public BenchFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
