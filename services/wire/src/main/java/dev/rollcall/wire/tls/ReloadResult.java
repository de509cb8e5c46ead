package dev.rollcall.wire.tls;

import java.time.Instant;

/** The result of checking an identity's files. */
public sealed interface ReloadResult {
  /** They are as they were. */
  record Unchanged() implements ReloadResult {}

  /**
   * New ones are in force.
   *
   * @param until the end of the certificate
   */
  record Taken(Instant until) implements ReloadResult {}

  /**
   * They do not fit together; those before stay in force.
   *
   * @param problem names the file
   * @param known whether the look before found the same
   */
  record Kept(String problem, boolean known) implements ReloadResult {}
}
