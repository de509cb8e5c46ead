package dev.rollcall.load.lookup;

/** The load could not be made; the message names the gateway and the cause. */
final class LoadFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  LoadFailedException(String message) {
    super(message);
  }
}
