package dev.rollcall.jobs.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.model.allocation.Allocation;
import dev.rollcall.model.allocation.DeviceRules;
import dev.rollcall.model.allocation.Limits;
import dev.rollcall.model.allocation.NumberList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Against the rules of cgroup.conf(5), on a node of 1,000 MB. */
class SiteRulesTest {
  private static final long MB = 1_000_000;

  private static SiteRules rules(
      boolean ram, boolean swap, double allowedRam, double allowedSwap, double maxRam) {
    return new SiteRules(
        true, ram, swap, true, allowedRam, allowedSwap, maxRam, 20, 1_000 * MB, 30 * MB);
  }

  private static Limits limits(OptionalLong memory, OptionalLong swap) {
    return new Limits(
        Optional.of(new NumberList("0-1")),
        Optional.empty(),
        memory,
        OptionalLong.empty(),
        swap,
        OptionalInt.of(7),
        Optional.empty(),
        OptionalLong.of(9),
        List.of(),
        Map.of());
  }

  private static OptionalLong mb(long number) {
    return OptionalLong.of(number * MB);
  }

  @Test
  void whatIsNotConstrainedIsNotLimited() {
    var none = new SiteRules(false, false, false, false, 100, 0, 100, 100, 1_000 * MB, 0);
    var asked =
        new Allocation(
            limits(mb(100), mb(5)),
            new DeviceRules(DeviceRules.Kind.DENY_LIST, List.of()),
            Map.of("A", "b"),
            List.of());
    Allocation made = none.of(asked);
    assertEquals(Optional.empty(), made.limits().cpus());
    assertEquals(OptionalLong.empty(), made.limits().memoryMax());
    assertEquals(OptionalLong.empty(), made.limits().swapMax());
    assertEquals(DeviceRules.OPEN, made.devices());
    assertEquals(OptionalInt.of(7), made.limits().cpuWeight());
    assertEquals(OptionalLong.of(9), made.limits().pidsMax());
    assertEquals(Map.of("A", "b"), made.environment());
    assertEquals(asked, SiteRules.AS_ASKED.of(asked));
  }

  @Test
  void memoryIsThePartThatIsAllowedWithinItsBounds() {
    SiteRules rules = rules(true, false, 110, 0, 90);
    assertEquals(mb(110), rules.of(limits(mb(100), OptionalLong.empty())).memoryMax());
    assertEquals(mb(900), rules.of(limits(mb(1_000), OptionalLong.empty())).memoryMax());
    assertEquals(mb(30), rules.of(limits(mb(1), OptionalLong.empty())).memoryMax());
    OptionalLong none = OptionalLong.of(Limits.UNLIMITED);
    assertEquals(none, rules.of(limits(none, OptionalLong.empty())).memoryMax());
  }

  @Test
  void aJobThatNamesNoMemoryHasThePartOfTheNodeThatJobsMayHave() {
    SiteRules rules = rules(true, false, 100, 0, 90);
    Limits asked = limits(OptionalLong.empty(), OptionalLong.empty());
    Allocation job = new Allocation(asked, DeviceRules.OPEN, Map.of(), List.of());
    assertEquals(mb(900), rules.of(job).limits().memoryMax());
    assertEquals(OptionalLong.empty(), rules.of(asked).memoryMax(), "a step or a change has not");
  }

  @Test
  void swapIsAPartOfTheJobsMemoryWhereNothingElseIsAsked() {
    SiteRules rules = rules(true, true, 100, 10, 100);
    assertEquals(mb(10), rules.of(limits(mb(100), OptionalLong.empty())).swapMax());
    assertEquals(mb(5), rules.of(limits(mb(100), mb(5))).swapMax());
    assertEquals(mb(200), rules.of(limits(mb(100), mb(500))).swapMax(), "at most MaxSwapPercent");
    SiteRules off = rules(true, false, 100, 10, 100);
    assertEquals(OptionalLong.empty(), off.of(limits(mb(100), mb(5))).swapMax());
  }
}
