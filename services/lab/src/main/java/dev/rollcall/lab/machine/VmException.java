package dev.rollcall.lab.machine;

import org.jspecify.annotations.Nullable;

/** The machine could not be built, started or heard; the message ends with what its logs say. */
public final class VmException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public VmException(String message) {
    super(message);
  }

  public VmException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
