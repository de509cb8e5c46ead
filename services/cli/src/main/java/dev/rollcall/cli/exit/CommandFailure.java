package dev.rollcall.cli.exit;

/** Ends a command with one line on standard error and an exit code. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final ExitCode code;

  public CommandFailure(ExitCode code, String message) {
    super(message);
    this.code = code;
  }

  /** For a cause that the reader of the line cannot use, but a debugger can. */
  public CommandFailure(ExitCode code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /** Of a value, or of options together, that cannot be. */
  public static CommandFailure usage(String message) {
    return new CommandFailure(ExitCode.USAGE, message);
  }

  /** The same, in the words of the value's own type. */
  public static CommandFailure usage(IllegalArgumentException cause) {
    return new CommandFailure(ExitCode.USAGE, String.valueOf(cause.getMessage()), cause);
  }

  /** The message, for people. */
  public String line() {
    return String.valueOf(getMessage());
  }

  public ExitCode code() {
    return code;
  }
}
