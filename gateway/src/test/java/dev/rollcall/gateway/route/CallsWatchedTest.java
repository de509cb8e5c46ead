package dev.rollcall.gateway.route;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.model.AddressText;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Endpoint;
import dev.rollcall.proto.roll.v1.Announcement;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.testkit.roll.InMemoryGateways;
import dev.rollcall.wire.CallerMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CallsWatchedTest {
  private final InMemoryGateways gateways = new InMemoryGateways();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final CountDownLatch busy = new CountDownLatch(1);
  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final CallsWatched watched = watched();

  private CallsWatched watched() {
    var meters = new RouteMeters(registry);
    return new CallsWatched(new GatewaySender(gateways.start("gate:7450"), meters), meters);
  }

  @AfterEach
  void close() {
    busy.countDown();
    gateways.close();
  }

  private static Announcement call(int port) {
    return Announcement.newBuilder()
        .setConnection(
            CallerMapper.toProto(
                Connection.tcp(Endpoint.parse("10.0.0.1:" + port), Endpoint.parse("10.0.0.2:22"))))
        .build();
  }

  /** The thread of the node's stream goes on; what it cannot leave in the queue is counted. */
  @Test
  void aWatcherThatIsBusyDelaysNoNodeAndWhatIsLeftOutIsCounted() {
    Runnable end =
        watched.watch(pushed -> {
          Await.until("it may go on", () -> busy.getCount() == 0);
          seen.add(
              AddressText.of(pushed.connection().local().address())
                  + " "
                  + pushed.connection().local().port());
        });
    watched.made(call(1));
    Await.until("the first is with the watcher", () -> waiting() == 0);
    for (int i = 0; i < WatchQueue.MOST_WAITING + 50; i++) {
      watched.made(call(2 + i));
    }
    assertEquals(50, registry.counter("rollcall.gateway.calls.unwatched").count());
    busy.countDown();
    Await.until("all others came", () -> seen.size() == WatchQueue.MOST_WAITING + 1);
    assertEquals(List.of("10.0.0.1 1", "10.0.0.1 2", "10.0.0.1 3"), seen.subList(0, 3));
    end.run();
    watched.made(call(9));
    assertEquals(0, waiting(), "nobody watches");
  }

  private int waiting() {
    return watched.waiting();
  }
}
