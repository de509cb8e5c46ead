package dev.rollcall.jobs.container;

import java.io.IOException;

/** A job's container could not be made. The message names the step and what was in its way. */
public final class ContainerException extends IOException {
  private static final long serialVersionUID = 1L;

  ContainerException(String step, Exception cause) {
    super("container: " + step + ": " + words(cause), cause);
  }

  private static String words(Exception cause) {
    return cause.getMessage() == null
        ? cause.toString()
        : cause instanceof java.nio.file.FileSystemException
            ? cause.getClass().getSimpleName().replace("Exception", "") + ": " + cause.getMessage()
            : cause.getMessage();
  }
}
