package dev.rollcall.agent.event;

import java.util.Set;

/**
 * Which logins of the module's log are published; the others were known.
 *
 * @param ids their adoption ids
 */
public record PublishedLogins(Set<String> ids) {
  public PublishedLogins {
    ids = Set.copyOf(ids);
  }
}
