package dev.rollcall.agent.adopt;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.AdoptionFound;
import dev.rollcall.agent.event.RecentAdoption;
import java.util.ArrayDeque;

/** The last adoptions, the newest first. Not thread-safe. */
final class RecentAdoptions {
  private final ArrayDeque<Adoption> ring = new ArrayDeque<>();
  private final int capacity;

  RecentAdoptions(int capacity) {
    this.capacity = capacity;
  }

  void add(Adoption adoption) {
    if (ring.size() >= capacity) {
      ring.removeLast();
    }
    ring.addFirst(adoption);
  }

  AdoptionFound find(RecentAdoption question) {
    return new AdoptionFound(
        ring.stream()
            .filter(adoption ->
                question.id().map(id -> id.equals(adoption.id())).orElse(true)
                    && question.uid().map(uid -> uid == adoption.uid()).orElse(true))
            .findFirst());
  }
}
