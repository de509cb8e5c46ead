package dev.rollcall.agent.login.adopt;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.Adoption.Outcome;
import dev.rollcall.agent.event.AdoptionsWanted;
import dev.rollcall.agent.event.RememberedAdoption;
import dev.rollcall.model.ProcessRef;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Keeps the last logins, the newest first. Refused ones have a quarter of the room, so that they
 * replace no login that was let in and may be a session. In each part the user with the most logins
 * loses the oldest of them when it is full. Not thread-safe.
 */
public final class AdoptionHistory {
  private static final int PART_OF_REFUSALS = 4;

  private final LinkedHashMap<String, RememberedAdoption> byId = new LinkedHashMap<>();
  private final int capacity;
  private final Consumer<ProcessRef> open;

  /**
   * @param open hears of each process of a session in a job
   */
  public AdoptionHistory(int capacity, Consumer<ProcessRef> open) {
    this.capacity = capacity;
    this.open = open;
  }

  public void add(Adoption adoption, ProcessRef process) {
    if (adoption.outcome() == Outcome.ADOPTED) {
      open.accept(process);
    }
    byId.putFirst(adoption.id(), new RememberedAdoption(adoption, process));
    makeRoom(adoption);
  }

  /** A correction may have made a refusal of it. */
  private void makeRoom(Adoption changed) {
    boolean refused = isRefused(changed);
    int ofRefusals = capacity / PART_OF_REFUSALS;
    int room = refused ? ofRefusals : capacity - ofRefusals;
    List<Adoption> oldestFirst =
        byId.sequencedValues().reversed().stream()
            .map(RememberedAdoption::adoption)
            .filter(each -> isRefused(each) == refused)
            .toList();
    if (oldestFirst.size() > room) {
      Map<Integer, Long> ofUsers =
          oldestFirst.stream().collect(groupingBy(Adoption::uid, counting()));
      long most = Collections.max(ofUsers.values());
      oldestFirst.stream()
          .filter(each -> ofUsers.getOrDefault(each.uid(), 0L) == most)
          .findFirst()
          .ifPresent(each -> byId.remove(each.id()));
    }
  }

  private static boolean isRefused(Adoption adoption) {
    return adoption.outcome() == Outcome.DENIED || adoption.outcome() == Outcome.FAILED;
  }

  public boolean has(String id) {
    return byId.containsKey(id);
  }

  Optional<RememberedAdoption> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  /** An adoption as it is remembered; itself if it is not. */
  Adoption now(Adoption adoption) {
    RememberedAdoption known = byId.get(adoption.id());
    return known == null ? adoption : known.adoption();
  }

  /** An adoption of which more is known now, unless it was corrected meanwhile. */
  public void complete(Adoption adoption, Adoption known) {
    byId.computeIfPresent(
        adoption.id(),
        (_, its) ->
            its.adoption().equals(adoption) ? new RememberedAdoption(known, its.process()) : its);
  }

  /** Corrects an adoption, if it is remembered. */
  public void replace(Adoption adoption) {
    byId.computeIfPresent(
        adoption.id(), (_, known) -> new RememberedAdoption(adoption, known.process()));
    makeRoom(adoption);
  }

  /**
   * The id of the last login that was let in over the same connection for the same user, and
   * decided at most so long before or after.
   */
  public Optional<String> sameLogin(Adoption adoption, Duration grace) {
    return byId.values().stream()
        .map(RememberedAdoption::adoption)
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
    byId.computeIfPresent(
        id,
        (_, known) -> {
          open.accept(process);
          return new RememberedAdoption(known.adoption(), process);
        });
  }

  public List<RememberedAdoption> list(AdoptionsWanted wanted) {
    return byId.values().stream().filter(known -> wanted.includes(known.adoption())).toList();
  }
}
