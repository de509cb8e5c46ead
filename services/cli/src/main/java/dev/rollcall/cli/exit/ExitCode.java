package dev.rollcall.cli.exit;

/** The command's exit codes, for scripts. */
public enum ExitCode {
  OK(0),
  FAILED(1),
  USAGE(2),
  DENIED(3),
  NOT_FOUND(4),
  /** Nobody answered in time. A retry may help. */
  UNAVAILABLE(5);

  private final int status;

  ExitCode(int status) {
    this.status = status;
  }

  /** 0 to 5. */
  public int status() {
    return status;
  }
}
