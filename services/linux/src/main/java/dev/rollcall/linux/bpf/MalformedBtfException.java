package dev.rollcall.linux.bpf;

import java.io.IOException;

/** The kernel's type information cannot be read, or lacks a type or member. */
public final class MalformedBtfException extends IOException {
  private static final long serialVersionUID = 1L;

  MalformedBtfException(String message) {
    super(message);
  }

  MalformedBtfException(String message, Throwable cause) {
    super(message, cause);
  }
}
