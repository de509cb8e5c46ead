package dev.rollcall.linux.systemd;

import java.io.IOException;

/** The scope is not to be had, or not usable; the message names it and says what to do. */
public final class ScopeException extends IOException {
  private static final long serialVersionUID = 1L;

  ScopeException(String message) {
    super(message);
  }

  ScopeException(String message, Throwable cause) {
    super(message, cause);
  }
}
