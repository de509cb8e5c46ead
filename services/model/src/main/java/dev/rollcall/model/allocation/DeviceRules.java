package dev.rollcall.model.allocation;

import java.util.List;

/**
 * The devices of a job or step. Whatever they say, null, zero, full, random, urandom, tty, console
 * and pseudo-terminals are allowed.
 */
public record DeviceRules(Kind kind, List<DeviceRule> rules) {
  /** How the rules are meant. */
  public enum Kind {
    /** Nothing is said: all devices stay as they are. */
    OPEN,
    /** Only what a rule names is allowed. */
    ALLOW_LIST,
    /** What a rule names is refused. */
    DENY_LIST
  }

  /** The kernel's verifier follows every path through the program that is made of them. */
  private static final int MOST = 256;

  public static final DeviceRules OPEN = new DeviceRules(Kind.OPEN, List.of());

  public DeviceRules {
    rules = List.copyOf(rules);
    if (rules.size() > MOST) {
      throw new IllegalArgumentException(rules.size() + " rules about devices are over 256");
    }
    if (kind == Kind.OPEN && !rules.isEmpty()) {
      throw new IllegalArgumentException("rules about devices that are neither allowed nor denied");
    }
  }
}
