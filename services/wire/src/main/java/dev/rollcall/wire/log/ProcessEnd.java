package dev.rollcall.wire.log;

import static java.lang.System.Logger.Level.ERROR;

/**
 * Ends this process at once, without what stops it in good order, because that may need what
 * failed. The supervisor of the process starts it again.
 */
public enum ProcessEnd {
  /** One of its own threads died; EX_SOFTWARE of sysexits.h. */
  DEAD_THREAD(70),
  /** Direct memory is exhausted, or the heap almost; EX_OSERR. A full heap ends a JVM with 3. */
  OUT_OF_MEMORY(71),
  /** An event loop or the cluster of gateways does not answer; EX_TEMPFAIL. */
  NOT_ANSWERING(75);

  private static final System.Logger LOG = System.getLogger(ProcessEnd.class.getName());

  private final int status;

  ProcessEnd(int status) {
    this.status = status;
  }

  /** The exit status. */
  public int status() {
    return status;
  }

  /** Logs the reason, as far as memory allows, and halts. */
  public void now(String why) {
    try {
      LOG.log(ERROR, "{0}; this process ends with status {1}", why, Integer.toString(status));
    } finally {
      Runtime.getRuntime().halt(status);
    }
  }
}
