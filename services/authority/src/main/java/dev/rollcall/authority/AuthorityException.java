package dev.rollcall.authority;

/** What was asked for is not done; the message names the file and the value. */
public final class AuthorityException extends Exception {
  private static final long serialVersionUID = 1;

  AuthorityException(String message) {
    super(message);
  }

  AuthorityException(String message, Throwable cause) {
    super(message, cause);
  }
}
