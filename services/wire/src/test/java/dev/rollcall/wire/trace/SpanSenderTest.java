package dev.rollcall.wire.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.testkit.process.Eventually;
import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.trace.ReceivedSpan;
import dev.rollcall.testkit.trace.TraceCollector;
import dev.rollcall.wire.grpc.VertxSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** To a collector that reads OTLP by OpenTelemetry's own classes. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SpanSenderTest {
  private static final Duration SOON = Patience.ofSeconds(20);
  private static final Map<String, String> PROCESS =
      Map.of("service.name", "rollcall-test", "host.name", "node2");

  private final Vertx vertx = VertxSettings.start(VertxSettings.quiet());
  private final MeterRegistry registry = new SimpleMeterRegistry();
  private TraceCollector collector;
  private SpanSender sender;

  @BeforeEach
  void start() throws IOException {
    collector = TraceCollector.start(0);
    sender = sender(collector.port());
  }

  private SpanSender sender(int port) {
    return new SpanSender(
        vertx,
        new SpanSender.Way("127.0.0.1", port, Optional.empty(), PROCESS),
        new SpanSender.Counts(
            registry.counter("sent", "spans", "yes"), registry.counter("sent", "spans", "no")),
        Duration.ofMillis(50));
  }

  @AfterEach
  void stop() {
    sender.close().await();
    collector.close();
    vertx.close().await();
  }

  private double sent() {
    return registry.counter("sent", "spans", "yes").count();
  }

  private double dropped() {
    return registry.counter("sent", "spans", "no").count();
  }

  private List<ReceivedSpan> await(int spans) {
    Eventually.await(
        SOON, () -> collector.spans().size() >= spans, () -> collector.spans().toString());
    return collector.spans();
  }

  private static ReceivedSpan named(List<ReceivedSpan> spans, String name) {
    return spans.stream().filter(span -> span.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void aTraceArrivesAsItWas() {
    Instant before = Clock.systemUTC().instant();
    Span login = sender.tracer(true).begin("login", Span.Kind.SERVER);
    Span asking = login.child("ask", Span.Kind.CLIENT).with("rollcall.gateway", "gate1");
    Span joined = sender.tracer(true).join(asking.traceparent(), "identify", Span.Kind.SERVER);
    joined.failed("nobody knows").end();
    asking.end();
    login.withPersonal("user.name", "alice").end();

    List<ReceivedSpan> spans = await(3);
    ReceivedSpan first = named(spans, "login");
    ReceivedSpan second = named(spans, "ask");
    ReceivedSpan third = named(spans, "identify");
    assertEquals(PROCESS, first.process());
    assertEquals("", first.parent());
    assertEquals(first.id(), second.parent());
    assertEquals(second.id(), third.parent());
    assertEquals(first.trace(), second.trace());
    assertEquals(first.trace(), third.trace());
    assertEquals("SERVER CLIENT", first.kind() + " " + second.kind());
    assertEquals(Map.of("user.name", "alice"), first.attributes());
    assertEquals(Map.of("rollcall.gateway", "gate1"), second.attributes());
    assertTrue(third.failed() && !first.failed());
    Duration since = Duration.between(before, Instant.ofEpochSecond(0, first.startNanos()));
    assertTrue(!since.isNegative() && since.compareTo(SOON) < 0, since.toString());
    assertTrue(first.took().compareTo(second.took()) >= 0, spans.toString());
    Eventually.await(SOON, () -> sent() == 3, () -> sent() + " sent");
    assertEquals(0, dropped());
  }

  @Test
  void nothingOfAUserIsToldWhereThatWasNotChosen() {
    Span login = sender.tracer(false).begin("login", Span.Kind.SERVER);
    login.withPersonal("user.name", "alice").failed("job 42 of alice").with("a", "b").end();
    ReceivedSpan told = await(1).getFirst();
    assertEquals(Map.of("a", "b"), told.attributes());
    assertTrue(told.failed());
  }

  @Test
  void aPhaseContinuesTheTraceOfTheOneBefore() {
    Tracer tracer = sender.tracer(false);
    Span account = tracer.begin("login", Span.Kind.SERVER);
    account.end();
    Span session = tracer.begin("session", Span.Kind.SERVER);
    session.continues(account.traceparent());
    session.child("move").end();
    session.end();
    List<ReceivedSpan> spans = await(3);
    assertEquals(named(spans, "login").id(), named(spans, "session").parent());
    assertEquals(named(spans, "session").id(), named(spans, "move").parent());
    assertEquals(1, spans.stream().map(ReceivedSpan::trace).distinct().count());
  }

  @Test
  void whoDoesNotTraceMakesNoSpans() {
    assertSame(Span.NONE, Tracer.OFF.begin("login", Span.Kind.SERVER));
    assertSame(Span.NONE, Span.NONE.child("move"));
    assertEquals("", Span.NONE.traceparent());
    assertSame(Span.NONE, sender.tracer(true).join("", "identify", Span.Kind.SERVER));
    String traced = sender.tracer(true).begin("login", Span.Kind.SERVER).traceparent();
    assertSame(Span.NONE, Tracer.OFF.join(traced, "identify", Span.Kind.SERVER));
    assertNotEquals("", traced);
  }

  @Test
  void aCollectorThatIsAwayGetsWhatWaitedWhenItIsBack() {
    collector.answerWith(503);
    Tracer tracer = sender.tracer(false);
    tracer.begin("login", Span.Kind.SERVER).end();
    Eventually.await(SOON, () -> collector.requests() > 2, () -> "it is not asked again");
    tracer.begin("login", Span.Kind.SERVER).end();
    assertEquals(List.of(), collector.spans());
    collector.answerWith(200);
    await(2);
    Eventually.await(SOON, () -> sent() == 2, () -> sent() + " sent");
    assertEquals(0, dropped());
  }

  @Test
  void whatACollectorRefusesIsNotSentAgain() {
    collector.answerWith(400);
    sender.tracer(false).begin("login", Span.Kind.SERVER).end();
    Eventually.await(SOON, () -> dropped() == 1, () -> dropped() + " dropped");
    assertEquals(1, collector.requests());
    collector.answerWith(200);
    collector.reject(1);
    Tracer tracer = sender.tracer(false);
    tracer.begin("login", Span.Kind.SERVER).end();
    tracer.begin("login", Span.Kind.SERVER).end();
    Eventually.await(SOON, () -> dropped() == 2 && sent() == 1, () -> sent() + " sent");
  }

  @Test
  void whatWaitsIsBoundedAndTheRestIsCounted() {
    collector.close();
    Tracer tracer = sender.tracer(false);
    int spans = 3 * SpanSender.MOST_WAITING;
    for (int i = 0; i < spans; i++) {
      tracer.begin("login", Span.Kind.SERVER).end();
    }
    assertTrue(dropped() >= spans - 2 * SpanSender.MOST_WAITING, () -> dropped() + " dropped");
    sender.close().await();
    assertEquals(spans, sent() + dropped());
  }

  @Test
  void whatWaitsAtTheEndIsSent() {
    sender.tracer(false).begin("login", Span.Kind.SERVER).end();
    sender.close().await();
    assertEquals(1, collector.spans().size());
    assertEquals(1, sent());
  }
}
