package dev.rollcall.linux.systemd;

/**
 * The name of the scope unit of an agent's jobs, systemd.scope(5). Agents on the same node have
 * scopes of different names.
 */
public record ScopeName(String text) {
  /** Of the only agent of a node. */
  public static final ScopeName ONLY = new ScopeName("rollcall.scope");

  private static final String PATTERN = "rollcall(-[A-Za-z0-9_.]+)*\\.scope";

  public ScopeName {
    if (!text.matches(PATTERN) || text.length() > 128) {
      throw new IllegalArgumentException(
          "'" + text + "' is neither rollcall.scope nor a name such as rollcall-node7.scope");
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
