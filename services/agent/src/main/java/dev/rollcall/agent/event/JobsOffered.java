package dev.rollcall.agent.event;

import dev.rollcall.model.Job;
import java.util.List;

/** Nothing is decided: the user may choose between these jobs of theirs. */
public record JobsOffered(List<Job> newestFirst) implements DoorResponse {
  public JobsOffered {
    newestFirst = List.copyOf(newestFirst);
  }
}
