package dev.rollcall.agent.event;

import java.util.Set;

/**
 * Logins of the module's log are taken in.
 *
 * @param published the adoption ids of those that are published; the others were known
 */
public record LoginsTaken(Set<String> published) {
  public LoginsTaken {
    published = Set.copyOf(published);
  }
}
