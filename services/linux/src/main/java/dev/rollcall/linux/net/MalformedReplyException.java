package dev.rollcall.linux.net;

import java.io.IOException;

/** The kernel's reply is not what its headers say: cut short, or lengths that do not fit. */
public final class MalformedReplyException extends IOException {
  private static final long serialVersionUID = 1L;

  MalformedReplyException(String message) {
    super(message);
  }
}
