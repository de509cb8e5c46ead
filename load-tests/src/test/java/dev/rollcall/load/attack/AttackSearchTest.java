package dev.rollcall.load.attack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class AttackSearchTest {
  private static final Memory SMALL = new Memory(8 << 20, 80 << 20);
  private final List<String> lines = new ArrayList<>();

  @Test
  void aKnownAttackThatSucceedsIsShortenedToWhatItNeeds() {
    Attack known =
        Attack.parse(
            """
            open tls stranger 5 1 deaf
            open h2 user 3 1 reads
            setting 4 0
            wait 10
            calls /v1/nodes 10 0 ended
            wait 20
            """);
    List<Attack> found = search(attack -> holds(attack, "h2", "v1/nodes"), known, 0);
    assertEquals(
        List.of("open h2 user 3 1 reads\ncalls /v1/nodes 10 0 ended"),
        found.stream().map(Attack::toString).toList());
    assertTrue(String.join("\n", lines).contains("FOUND\n" + found.getFirst()));
  }

  /** The delay grows with the connections, and the search follows it. */
  @Test
  void anAttackIsFoundByChangesOfWhatWasWorst() {
    Attack harmless = Attack.parse("open frames user 2 1 deaf\nwait 0");
    List<Attack> found =
        search(attack -> connections(attack) > 900, harmless, TimeUnit.SECONDS.toNanos(60));
    assertTrue(connections(found.getFirst()) > 900, found::toString);
  }

  @Test
  void whatSucceedsOnceIsTriedAgainAndNotReported() {
    var once = new ArrayList<Attack>();
    Attack known = Attack.parse("open frames user 2 1 deaf");
    assertEquals(List.of(), search(attack -> once.isEmpty() && once.add(attack), known, 0));
    assertTrue(lines.getLast().contains("it held"), lines::toString);
  }

  private List<Attack> search(Predicate<Attack> succeeds, Attack known, long nanos) {
    long end = System.nanoTime() + nanos;
    var search =
        new AttackSearch(
            attack -> {
              boolean failed = succeeds.test(attack);
              return outcome(connections(attack), failed);
            },
            46,
            lines::add);
    return search.run(
        List.of(known),
        () ->
            lines.stream().noneMatch(line -> line.startsWith("FOUND"))
                && System.nanoTime() - end < 0);
  }

  private static AttackOutcome outcome(long delay, boolean failed) {
    Optional<String> failure = failed ? Optional.of("an end of the test") : Optional.empty();
    return new AttackOutcome(false, delay, SMALL, SMALL, SMALL, failure);
  }

  private static boolean holds(Attack attack, String... words) {
    return List.of(words).stream().allMatch(attack.toString()::contains);
  }

  private static int connections(Attack attack) {
    return attack.steps().stream()
        .filter(step -> step.verb() == Verb.OPEN)
        .mapToInt(step -> step.number(2))
        .sum();
  }
}
