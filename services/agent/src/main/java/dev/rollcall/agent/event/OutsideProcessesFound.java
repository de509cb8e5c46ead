package dev.rollcall.agent.event;

import java.time.Instant;
import java.util.List;

/**
 * The processes that are in no job, the oldest first.
 *
 * @param leftOut so many younger ones were not looked at
 * @param at when they were looked for
 */
public record OutsideProcessesFound(List<OutsideProcess> escapees, int leftOut, Instant at) {
  public OutsideProcessesFound {
    escapees = List.copyOf(escapees);
  }

  /** Those that are wanted. What was not looked at is nobody's in particular. */
  public OutsideProcessesFound only(OutsideProcessesWanted wanted) {
    return wanted
        .uid()
        .map(uid ->
            new OutsideProcessesFound(
                escapees.stream().filter(escapee -> escapee.uid() == uid).toList(), leftOut, at))
        .orElse(this);
  }
}
