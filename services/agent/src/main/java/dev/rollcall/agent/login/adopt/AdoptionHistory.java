package dev.rollcall.agent.login.adopt;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.Adoption.Outcome;
import dev.rollcall.agent.event.AdoptionsFound;
import dev.rollcall.agent.event.AdoptionsFound.Remembered;
import dev.rollcall.agent.event.AdoptionsWanted;
import dev.rollcall.agent.event.RecentAdoption;
import dev.rollcall.model.ProcessRef;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;

/** Keeps the last logins, the newest first. Not thread-safe. */
public final class AdoptionHistory {
  private final LinkedHashMap<String, Remembered> byId = new LinkedHashMap<>();
  private final int capacity;

  public AdoptionHistory(int capacity) {
    this.capacity = capacity;
  }

  public void add(Adoption adoption, ProcessRef process) {
    if (byId.size() >= capacity) {
      byId.pollLastEntry();
    }
    byId.putFirst(adoption.id(), new Remembered(adoption, process));
  }

  public boolean has(String id) {
    return byId.containsKey(id);
  }

  Optional<Remembered> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  /** An adoption as it is remembered; itself if it is not. */
  Adoption now(Adoption adoption) {
    Remembered known = byId.get(adoption.id());
    return known == null ? adoption : known.adoption();
  }

  /** An adoption of which more is known now, unless it was corrected meanwhile. */
  public void complete(Adoption adoption, Adoption known) {
    byId.computeIfPresent(
        adoption.id(),
        (_, its) -> its.adoption().equals(adoption) ? new Remembered(known, its.process()) : its);
  }

  /** Corrects an adoption, if it is remembered. */
  public void replace(Adoption adoption) {
    byId.computeIfPresent(adoption.id(), (_, known) -> new Remembered(adoption, known.process()));
  }

  /**
   * The id of the last login that was let in over the same connection for the same user, and
   * decided at most so long before or after.
   */
  public Optional<String> sameLogin(Adoption adoption, Duration grace) {
    return byId.values().stream()
        .map(Remembered::adoption)
        .filter(known ->
            known.uid() == adoption.uid()
                && known.connection().isPresent()
                && known.connection().equals(adoption.connection())
                && (known.outcome() == Outcome.ADOPTED || known.outcome() == Outcome.ALLOWED)
                && Duration.between(known.decidedAt(), adoption.decidedAt()).abs().compareTo(grace)
                    <= 0)
        .map(Adoption::id)
        .findFirst();
  }

  /**
   * Another process asked for the same session: with keyboard-interactive the one of the account
   * phase is gone by the session phase.
   */
  public void asksAgain(String id, ProcessRef process) {
    byId.computeIfPresent(id, (_, known) -> new Remembered(known.adoption(), process));
  }

  /** The last adoption that is wanted, if it is still here. */
  public Optional<Remembered> find(RecentAdoption question) {
    return byId.values().stream()
        .filter(known ->
            question.id().map(id -> id.equals(known.adoption().id())).orElse(true)
                && question.uid().map(uid -> uid == known.adoption().uid()).orElse(true))
        .findFirst();
  }

  public AdoptionsFound list(AdoptionsWanted question) {
    return new AdoptionsFound(
        byId.values().stream()
            .filter(known ->
                question.uid().map(uid -> uid == known.adoption().uid()).orElse(true)
                    && question
                        .job()
                        .map(job ->
                            known
                                .adoption()
                                .job()
                                .filter(step -> step.job().equals(job))
                                .isPresent())
                        .orElse(true))
            .toList());
  }
}
