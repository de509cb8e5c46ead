package dev.rollcall.agent.login.decide;

import java.io.IOException;
import java.util.Optional;

/**
 * Selects the users whose sessions are decided, logged and counted, but not changed. Thread-safe.
 */
public interface AuditOnly {
  /** Whether it is for anybody. */
  boolean isOn();

  /** Whether to ask whom it is for may take its time. */
  boolean mayBlock();

  /**
   * @param user as PAM has it
   */
  boolean holdsFor(int uid, String user);

  /**
   * The rule by which it is for a user who is not there, in the site's own words: their name is
   * looked up. Blocks.
   */
  Optional<String> ruleFor(int uid) throws IOException;

  /** Looks whether the site has changed its mind. Blocks. */
  void renew();
}
