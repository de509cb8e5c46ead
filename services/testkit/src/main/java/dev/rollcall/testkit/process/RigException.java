package dev.rollcall.testkit.process;

import org.jspecify.annotations.Nullable;

/** The test cluster could not be raised or driven; the message ends with what the logs say. */
public final class RigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public RigException(String message) {
    super(message);
  }

  public RigException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
