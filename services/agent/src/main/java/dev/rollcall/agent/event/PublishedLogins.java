package dev.rollcall.agent.event;

import java.util.Set;

/**
 * The logins of the module's log that were new, and thus published.
 *
 * @param ids their adoption ids
 */
public record PublishedLogins(Set<String> ids) {
  public PublishedLogins {
    ids = Set.copyOf(ids);
  }
}
