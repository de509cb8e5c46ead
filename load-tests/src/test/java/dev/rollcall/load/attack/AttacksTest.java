package dev.rollcall.load.attack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.load.attack.AttackCommand.Attacked;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Known attacks, and a search for others, against processes of the distribution. */
@Tag("root")
class AttacksTest {
  private static final Path DISTRIBUTION =
      Path.of(System.getProperty("rollcall.home", ".."), "deploy/target/rollcall")
          .toAbsolutePath()
          .normalize();

  /** A third of an hour for each target, or as many minutes as the property has. */
  private static final Duration EACH = Duration.ofMinutes(Integer.getInteger("attack.minutes", 20));

  @Test
  void anAgentSurvivesKnownAttacksAndOthers() {
    survives(Attacked.AGENT, KnownAttacks.of("agent", "unfinished"), drawn(3), 46);
  }

  @Test
  void aGatewaySurvivesKnownAttacksAndOthers() {
    survives(Attacked.GATEWAY, KnownAttacks.of("gateway", "pipelined-pages"), drawn(2), 46);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("full")
  void allKnownAttacksAndASearchFindNothing(Attacked target) {
    long end = System.nanoTime() + EACH.toNanos();
    List<Attack> known = KnownAttacks.of(target.name().toLowerCase(Locale.ROOT), "");
    survives(target, known, () -> System.nanoTime() - end < 0, System.nanoTime());
  }

  private static BooleanSupplier drawn(int count) {
    var left = new AtomicInteger(count);
    return () -> left.getAndDecrement() > 0;
  }

  private static void survives(
      Attacked target, List<Attack> known, BooleanSupplier goesOn, long seed) {
    System.out.println(target + ", seed " + seed);
    try (var trial = new Trial(() -> target.start(DISTRIBUTION))) {
      var search = new AttackSearch(trial::run, seed, System.out::println);
      assertEquals(List.of(), search.run(known, goesOn), () -> target + ", seed " + seed);
    }
  }
}
