package dev.rollcall.gateway.identity;

import java.time.Duration;
import java.util.Optional;

/** The result of authenticating a peer. */
public sealed interface AuthenticationResult {
  /**
   * @param left for how long it holds from now on; absent: as long as the connection
   */
  record Known(Identity identity, Optional<Duration> left) implements AuthenticationResult {
    public Known(Identity identity) {
      this(identity, Optional.empty());
    }
  }

  /**
   * @param reason naming the certificate and what is wrong with it
   */
  record Refused(String reason) implements AuthenticationResult {}
}
