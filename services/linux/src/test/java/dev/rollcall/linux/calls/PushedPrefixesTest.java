package dev.rollcall.linux.calls;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.linux.bpf.BpfMap;
import dev.rollcall.model.ClusterPrefixes;
import dev.rollcall.model.Prefix;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On a map of the kernel. */
@Tag("root")
@Timeout(60)
class PushedPrefixesTest {
  private BpfMap map;
  private long now;
  private Set<Prefix> interfaces = prefixes("10.1.0.0/24");

  @BeforeEach
  void make() throws Exception {
    map =
        BpfMap.create(
            new BpfMap.Shape(
                "prefixes",
                BpfMap.Type.LPM_TRIE,
                CallLayout.PREFIX_KEY_SIZE,
                1,
                CallLimits.PREFIXES));
  }

  @AfterEach
  void close() {
    map.close();
  }

  private static Set<Prefix> prefixes(String... texts) {
    return Arrays.stream(texts).map(Prefix::parse).collect(Collectors.toSet());
  }

  private PushedPrefixes open(String... configured) throws Exception {
    return PushedPrefixes.open(map, prefixes(configured), () -> interfaces, () -> now);
  }

  private static void name(PushedPrefixes pushed, String... texts) throws Exception {
    pushed.name(new ClusterPrefixes(prefixes(texts)));
  }

  private static void assertHas(PushedPrefixes pushed, String... addresses) throws Exception {
    for (String address : addresses) {
      assertTrue(pushed.has(InetAddress.ofLiteral(address)), address);
    }
  }

  private static void assertHasNot(PushedPrefixes pushed, String... addresses) throws Exception {
    for (String address : addresses) {
      assertFalse(pushed.has(InetAddress.ofLiteral(address)), address);
    }
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void namedPrefixesAreAddedToThoseOfTheInterfaces() throws Exception {
    PushedPrefixes pushed = open();
    assertHas(pushed, "10.1.0.7");
    assertHasNot(pushed, "10.2.0.7", "fd77:2::7");
    name(pushed, "10.2.0.0/24", "fd77:2::/64");
    assertHas(pushed, "10.1.0.7", "10.2.0.7", "fd77:2::7");
    assertHasNot(pushed, "10.2.1.7", "127.0.0.1", "169.254.1.1", "fe80::1", "::1");
  }

  @Test
  void aPrefixThatIsNotNamedAnyMoreStaysForAnHour() throws Exception {
    PushedPrefixes pushed = open();
    name(pushed, "10.2.0.0/24", "10.3.0.0/24");
    name(pushed, "10.3.0.0/24");
    pass(PushedPrefixes.KEEP.minusSeconds(1));
    pushed.refresh();
    assertHas(pushed, "10.2.0.7", "10.3.0.7");
    pass(Duration.ofSeconds(1));
    pushed.refresh();
    assertHasNot(pushed, "10.2.0.7");
    assertHas(pushed, "10.3.0.7", "10.1.0.7");
  }

  @Test
  void aPrefixThatIsNamedAgainStays() throws Exception {
    PushedPrefixes pushed = open();
    name(pushed, "10.2.0.0/24");
    name(pushed);
    name(pushed, "10.2.0.0/24");
    pass(PushedPrefixes.KEEP.multipliedBy(2));
    pushed.refresh();
    assertHas(pushed, "10.2.0.7");
  }

  @Test
  void theNextAgentGoesOnWithThePrefixesOfTheOneBefore() throws Exception {
    name(open(), "10.2.0.0/24", "fd77:2::/64");
    PushedPrefixes next = open();
    assertHas(next, "10.2.0.7", "fd77:2::7");
    assertHasNot(next, "127.0.0.1", "::1");
    pass(PushedPrefixes.KEEP);
    name(next, "fd77:2::/64");
    assertHasNot(next, "10.2.0.7");
    assertHas(next, "fd77:2::7");
  }

  @Test
  void addressesOfInterfacesThatComeAndGoAreTakenUp() throws Exception {
    PushedPrefixes pushed = open();
    interfaces = prefixes("10.9.0.0/24");
    pushed.refresh();
    assertHas(pushed, "10.9.0.7");
    assertHasNot(pushed, "10.1.0.7");
  }

  @Test
  void theConfiguredPrefixesAreAllThereAre() throws Exception {
    name(open(), "10.2.0.0/24");
    PushedPrefixes pushed = open("10.5.0.0/16");
    name(pushed, "10.2.0.0/24");
    assertHas(pushed, "10.5.3.7");
    assertHasNot(pushed, "10.1.0.7", "10.2.0.7");
  }

  /** Each is written before the ones before it are removed; twice, so that some are leaving. */
  @Test
  void asManyAsMayBeNamedTakeThePlaceOfAsManyOthersWithoutAGap() throws Exception {
    PushedPrefixes pushed = open();
    var gap = new AtomicBoolean();
    var done = new AtomicBoolean();
    InetAddress kept = InetAddress.ofLiteral("10.200.0.7");
    name(pushed, "10.200.0.0/24");
    Thread looking =
        Thread.ofPlatform()
            .start(() -> {
              while (!done.get()) {
                try {
                  gap.compareAndSet(false, !pushed.has(kept));
                } catch (Exception e) {
                  gap.set(true);
                }
              }
            });
    for (int net : new int[] {20, 40, 60, 80}) {
      Set<Prefix> many =
          IntStream.range(1, ClusterPrefixes.MOST)
              .mapToObj(i -> Prefix.parse("10." + (net + i / 256) + "." + i % 256 + ".0/24"))
              .collect(Collectors.toSet());
      many.add(Prefix.parse("10.200.0.0/24"));
      pushed.name(new ClusterPrefixes(many));
      assertHas(pushed, "10." + net + ".1.7", "10." + (net + 15) + ".255.7");
    }
    done.set(true);
    looking.join();
    assertFalse(gap.get(), "the prefix was missing for a moment");
  }
}
