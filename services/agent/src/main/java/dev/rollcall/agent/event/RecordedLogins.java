package dev.rollcall.agent.event;

import java.util.List;

/** Logins of the module's log, the oldest first. */
public record RecordedLogins(List<RecordedLogin> logins) {
  public RecordedLogins {
    logins = List.copyOf(logins);
  }
}
