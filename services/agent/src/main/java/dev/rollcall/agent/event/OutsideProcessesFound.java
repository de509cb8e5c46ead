package dev.rollcall.agent.event;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The processes that are in no job, the oldest first.
 *
 * @param leftOut so many younger ones were not looked at
 * @param at when they were looked for
 */
public record OutsideProcessesFound(
    List<OutsideProcess> outsideProcesses, int leftOut, Instant at) {
  public OutsideProcessesFound {
    outsideProcesses = List.copyOf(outsideProcesses);
  }

  /** Selects the wanted processes. The number of unchecked processes belongs to no user. */
  public OutsideProcessesFound only(Optional<Integer> user) {
    return user.map(uid ->
            new OutsideProcessesFound(
                outsideProcesses.stream()
                    .filter(outsideProcess -> outsideProcess.uid() == uid)
                    .toList(),
                leftOut,
                at))
        .orElse(this);
  }
}
