package dev.rollcall.agent.adopt;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.AdoptionFound;
import dev.rollcall.agent.event.AdoptionsFound;
import dev.rollcall.agent.event.AdoptionsFound.Remembered;
import dev.rollcall.agent.event.AdoptionsWanted;
import dev.rollcall.agent.event.RecentAdoption;
import dev.rollcall.model.ProcessRef;
import java.util.LinkedHashMap;

/** The last adoptions, the newest first. Not thread-safe. */
final class RecentAdoptions {
  private final LinkedHashMap<String, Remembered> byId = new LinkedHashMap<>();
  private final int capacity;

  RecentAdoptions(int capacity) {
    this.capacity = capacity;
  }

  void add(Adoption adoption, ProcessRef process) {
    if (byId.size() >= capacity) {
      byId.pollLastEntry();
    }
    byId.putFirst(adoption.id(), new Remembered(adoption, process));
  }

  /**
   * Another process asked for the same session: with keyboard-interactive the one of the account
   * phase is gone by the session phase.
   */
  void asksAgain(String id, ProcessRef process) {
    byId.computeIfPresent(id, (_, known) -> new Remembered(known.adoption(), process));
  }

  AdoptionFound find(RecentAdoption question) {
    return new AdoptionFound(
        byId.values().stream()
            .filter(known ->
                question.id().map(id -> id.equals(known.adoption().id())).orElse(true)
                    && question.uid().map(uid -> uid == known.adoption().uid()).orElse(true))
            .findFirst());
  }

  AdoptionsFound list(AdoptionsWanted question) {
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
