package dev.rollcall.linux.systemd;

import java.io.IOException;

/** The scope is missing or not usable; the message names it and the remedy. */
public final class ScopeException extends IOException {
  private static final long serialVersionUID = 1L;

  ScopeException(String message) {
    super(message);
  }

  ScopeException(String message, Throwable cause) {
    super(message, cause);
  }
}
