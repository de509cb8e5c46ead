package dev.rollcall.agent.event;

import dev.rollcall.model.JobId;
import java.util.Optional;

/**
 * Asks for recent adoptions.
 *
 * @param id absent: of any id
 * @param uid whose they must be; absent: anybody's
 * @param job into which they must be; absent: into any, or none
 */
public record AdoptionsWanted(Optional<String> id, Optional<Integer> uid, Optional<JobId> job) {
  public static final AdoptionsWanted ALL = of(Optional.empty());

  public static AdoptionsWanted of(Optional<Integer> uid) {
    return new AdoptionsWanted(Optional.empty(), uid, Optional.empty());
  }

  public boolean includes(Adoption adoption) {
    return id.map(adoption.id()::equals).orElse(true)
        && uid.map(it -> it == adoption.uid()).orElse(true)
        && job.map(it -> adoption.job().filter(step -> step.job().equals(it)).isPresent())
            .orElse(true);
  }
}
