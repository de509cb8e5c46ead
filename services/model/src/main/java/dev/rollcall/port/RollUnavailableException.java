package dev.rollcall.port;

/** The roll cannot answer: it has too few members, or a call to one timed out. A retry may help. */
public final class RollUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public RollUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
