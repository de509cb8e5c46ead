package dev.rollcall.testkit.cluster;

import org.jspecify.annotations.Nullable;

/** The test cluster could not be raised or driven; the message ends with what the logs say. */
public final class ClusterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ClusterException(String message) {
    super(message);
  }

  public ClusterException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
