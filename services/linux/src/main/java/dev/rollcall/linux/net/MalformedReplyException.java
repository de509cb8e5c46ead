package dev.rollcall.linux.net;

import java.io.IOException;

/** The kernel's reply contradicts its headers: it is cut short, or lengths do not fit. */
public final class MalformedReplyException extends IOException {
  private static final long serialVersionUID = 1L;

  MalformedReplyException(String message) {
    super(message);
  }
}
