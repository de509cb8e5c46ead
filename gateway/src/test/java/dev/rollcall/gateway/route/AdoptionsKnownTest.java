package dev.rollcall.gateway.route;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.proto.v1.Adoption;
import dev.rollcall.proto.v1.Outcome;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.testkit.roll.InMemoryGateways;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AdoptionsKnownTest {
  private final InMemoryGateways gateways = new InMemoryGateways();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final CountDownLatch busy = new CountDownLatch(1);
  private final AdoptionsKnown known = known();

  private AdoptionsKnown known() {
    var meters = new RouteMeters(registry);
    return new AdoptionsKnown(new GatewaySender(gateways.start("gate:7450"), meters), meters);
  }

  @AfterEach
  void close() {
    busy.countDown();
    gateways.close();
  }

  private void decide(int from, int to) {
    for (int id = from; id <= to; id++) {
      known.made(
          Adoption.newBuilder()
              .setAdoptionId(String.valueOf(id))
              .setNode("n" + id % 100)
              .setOutcome(Outcome.OUTCOME_ADOPTED)
              .build());
    }
  }

  /** The thread of the node's stream goes on; past and new decisions have no gap and no double. */
  @Test
  void aWatcherThatIsBusyDelaysNoNodeAndGetsEachDecisionOnce() {
    known.watch(0, _ -> true, _ -> Await.until("it may go on", () -> busy.getCount() == 0));
    decide(1, 3);
    List<String> seen = new CopyOnWriteArrayList<>();
    known.watch(2, _ -> true, adoption -> seen.add(adoption.getAdoptionId()));
    decide(4, 5);
    assertEquals(List.of("2", "3"), seen);
    busy.countDown();
    Await.until("it got the new ones", () -> seen.size() == 4);
    assertEquals(List.of("2", "3", "4", "5"), seen);
    assertEquals(0, registry.counter("rollcall.gateway.adoptions.unwatched").count());
  }
}
