package dev.rollcall.load.attack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.load.attack.AttackOutcome.Kind;
import dev.rollcall.load.attack.AttackOutcome.Success;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AttackSearchTest {
  private static final Memory SMALL = new Memory(8 << 20, 80 << 20);
  private static final Attack HARMLESS = Attack.parse("open frames user 2 1 deaf");
  private final List<String> lines = new ArrayList<>();
  private Kind kindOfSuccess = Kind.DELAY;

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
    assertEquals(List.of(), search(attack -> once.isEmpty() && once.add(attack)));
    assertTrue(lines.getLast().contains("no find"), lines::toString);
  }

  @Test
  void aDelayHasToBeRepeatedEachTime() {
    var tries = new AtomicInteger();
    List<Attack> found = search(attack -> hasOpened(attack) && tries.incrementAndGet() < 3);
    assertEquals(List.of(), found, lines::toString);
    assertEquals(3, tries.get());
  }

  @Test
  void aDelayThatIsThereWithoutTheAttackIsNoFind() {
    assertEquals(List.of(), search(_ -> true));
    assertTrue(String.join("\n", lines).contains("the machine is too busy"), lines::toString);
  }

  /** A little of it may stay each time. */
  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"END", "MEMORY"})
  void anEndAndMemoryThatIsKeptAreFindsThoughTheyAreNotRepeated(Kind kind) {
    kindOfSuccess = kind;
    var tries = new AtomicInteger();
    List<Attack> found = search(attack -> hasOpened(attack) && tries.incrementAndGet() == 1);
    assertEquals(List.of(HARMLESS), found);
    assertTrue(String.join("\n", lines).contains("the last of 1 on one process"));
  }

  private List<Attack> search(Predicate<Attack> succeeds) {
    return search(succeeds, HARMLESS, 0);
  }

  private static boolean hasOpened(Attack attack) {
    return connections(attack) > 0;
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

  private AttackOutcome outcome(long delay, boolean failed) {
    return outcome(delay, failed ? Optional.of(kindOfSuccess) : Optional.empty());
  }

  private static AttackOutcome outcome(long delay, Optional<Kind> kind) {
    Optional<Success> success = kind.map(of -> new Success(of, "an end of the test"));
    return new AttackOutcome(delay, SMALL, SMALL, SMALL, success);
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
