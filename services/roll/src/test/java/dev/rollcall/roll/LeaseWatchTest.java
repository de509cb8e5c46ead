package dev.rollcall.roll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.model.NodeEpoch;
import dev.rollcall.model.NodeName;
import dev.rollcall.port.Roll.NodeDescription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LeaseWatchTest {
  private static final long LEASE = 15_000;
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long YEAR = 365 * 24 * HOUR;

  private long millis = 5_000;
  private final LeaseWatch watch = new LeaseWatch(() -> TimeUnit.MILLISECONDS.toNanos(millis));

  private NodeValue connected(long wallMillis) {
    var said =
        new NodeDescription(
            new NodeEpoch(new NodeName("node1"), "boot", 1), Set.of(), "gate:7450", "1", "off");
    return told(NodeValue.connected(null, said, wallMillis, LEASE));
  }

  private NodeValue told(NodeValue value) {
    watch.told(value);
    return value;
  }

  @Test
  void aNodeIsSilentAfterTheLengthOfItsLease() {
    NodeValue node = connected(HOUR);
    millis += LEASE - 1;
    assertFalse(watch.isOver(node));
    millis++;
    assertTrue(watch.isOver(node));
    assertFalse(watch.isOver(node.lostNow()));
  }

  @Test
  void aWallClockThatIsSteppedChangesNothing() {
    NodeValue node = connected(2 * HOUR);
    for (long wall : new long[] {3 * HOUR, HOUR, YEAR, -YEAR}) {
      millis += LEASE - 1;
      assertFalse(watch.isOver(node));
      node = told(node.renewed(wall, LEASE));
    }
    millis += LEASE;
    assertTrue(watch.isOver(node));
  }

  @Test
  void whatIsToldAgainIsNoHeartbeat() {
    NodeValue node = connected(HOUR);
    millis += LEASE;
    told(node);
    assertTrue(watch.isOver(node));
  }

  @Test
  void aLaterEntryThatWasNotHeardHereIsNotSilent() {
    NodeValue node = connected(HOUR);
    millis += LEASE;
    assertFalse(watch.isOver(node.renewed(HOUR, LEASE)));
    watch.forgotten("node1");
    assertFalse(watch.isOver(node));
    assertEquals(TimeUnit.MILLISECONDS.toNanos(LEASE), node.lease().lengthNanos());
  }

  /** Else who sees the node could let time pass that would not count. */
  @Test
  void aLeaseRunsBeforeItsNodeIsSeen() {
    var seen = new ArrayList<Boolean>();
    var index = new CompletableFuture<NodeIndex>();
    var told =
        new NodeIndex(
            new LeaseWatch(() -> {
              seen.add(index.join().find("node1").isPresent());
              return 0;
            }));
    index.complete(told);
    told.told(connected(HOUR));
    assertEquals(List.of(false), seen);
    assertTrue(told.find("node1").isPresent());
  }
}
