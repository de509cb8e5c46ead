package dev.rollcall.authority;

/** A request to the authority failed; the message names the file and the value. */
public final class AuthorityException extends Exception {
  private static final long serialVersionUID = 1;

  AuthorityException(String message) {
    super(message);
  }

  AuthorityException(String message, Throwable cause) {
    super(message, cause);
  }
}
