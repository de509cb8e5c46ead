package dev.rollcall.agent.event;

import java.time.Instant;
import java.util.List;

/**
 * The processes that are in no job, the oldest first.
 *
 * @param leftOut so many younger ones were not looked at
 * @param at when they were looked for
 */
public record EscapeesFound(List<Escapee> escapees, int leftOut, Instant at) {
  public EscapeesFound {
    escapees = List.copyOf(escapees);
  }

  /** Those that are wanted. What was not looked at is nobody's in particular. */
  public EscapeesFound only(EscapeesWanted wanted) {
    return wanted
        .uid()
        .map(uid ->
            new EscapeesFound(
                escapees.stream().filter(escapee -> escapee.uid() == uid).toList(), leftOut, at))
        .orElse(this);
  }
}
