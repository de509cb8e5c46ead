package dev.rollcall.lab.cluster;

import java.util.List;

/**
 * A PAM module that adopts sessions.
 *
 * @param file its name, as PAM finds it, or its path
 * @param kinds the stacks it is the last of: {@code account}, {@code session}
 */
public record PamModule(String file, List<String> kinds) {
  public PamModule {
    kinds = List.copyOf(kinds);
  }
}
