package dev.rollcall.gateway.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.rollcall.gateway.identity.Identity;
import dev.rollcall.model.NodeName;
import dev.rollcall.testkit.process.Await;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class IdentityLimitsTest {
  private static final Identity NODE = new Identity.Node(new NodeName("n1"), Set.of());

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  /** An alert on their increase does not see the first event of a series that begins with it. */
  @Test
  void refusalsAreCountedFromZero() {
    var _ = new IdentityLimits(new Rates(1, 1, 1), registry);
    for (String kind : List.of("user", "node", "service")) {
      assertEquals(0, registry.get("rollcall.gateway.limited").tag("kind", kind).counter().count());
    }
  }

  private static Optional<String> nobody() {
    return Optional.empty();
  }

  private static void assertRefused(String words, Runnable call) {
    var failure = assertThrows(StatusRuntimeException.class, call::run);
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, failure.getStatus().getCode());
    assertEquals(words, failure.getStatus().getDescription());
  }

  /** The words for programs: reason, metadata and when to ask again. */
  private static String details(StatusRuntimeException failure) throws Exception {
    var text = new StringBuilder();
    for (Any detail : StatusProto.fromThrowable(failure).getDetailsList()) {
      if (detail.is(ErrorInfo.class)) {
        var info = detail.unpack(ErrorInfo.class);
        text.append(info.getDomain()).append(' ').append(info.getReason());
        new TreeMap<>(info.getMetadataMap())
            .forEach((key, value) -> text.append(' ').append(key).append('=').append(value));
      } else {
        text.append(detail.unpack(RetryInfo.class).getRetryDelay().getSeconds()).append(" s, ");
      }
    }
    return text.toString();
  }

  @Test
  void aRefusalTellsProgramsTheLimitAndWhenToAskAgain() throws Exception {
    var limits = new IdentityLimits(new Rates(5, 1_000, 1_000), registry);
    var user = new Identity.Person(1000);
    assertEquals(
        "1 s, dev.rollcall RATE_EXCEEDED identity=" + user + " limit=5",
        details(flood(() -> limits.begin(user, nobody()).end())));
    for (int i = 0; i < 512; i++) {
      var _ = limits.begin(NODE, nobody());
    }
    var crowded = assertThrows(StatusRuntimeException.class, () -> limits.begin(NODE, nobody()));
    assertEquals(
        "1 s, dev.rollcall CALLS_EXCEEDED identity=" + NODE + " limit=512", details(crowded));
  }

  @Test
  void aRefusalForADebtOfBytesTellsWhenItIsPaid() throws Exception {
    var limits = new IdentityLimits(new Rates(5, 1_000, 1_000), registry);
    var user = new Identity.Person(1000);
    var large = limits.begin(user, nobody()); // 4 are left
    large.read(4_096 * 254 + 1); // 254 more: 250 are owed, and the next one makes 251
    large.end();
    var indebted = assertThrows(StatusRuntimeException.class, () -> limits.begin(user, nobody()));
    String told = details(indebted);
    // 50.2 s at 5 a second, and the test may have taken some of them.
    assertTrue(told.matches("(50|4\\d|3\\d) s, dev.rollcall RATE_EXCEEDED .*"), told);
  }

  /** Calls that come and go at once, until one is refused. */
  private static StatusRuntimeException flood(Runnable call) {
    return assertThrows(
        StatusRuntimeException.class,
        () -> {
          for (int i = 0; i < 1_000_000; i++) {
            call.run();
          }
        });
  }

  @Test
  void whoAsksTooOftenIsNamedWithTheLimitAndOthersGoOn() {
    var limits = new IdentityLimits(new Rates(5, 1_000_000, 1_000_000), registry);
    var failure = flood(() -> limits.begin(new Identity.Person(1000), nobody()).end());
    assertEquals("uid 1000 asks more than 5 times a second", failure.getStatus().getDescription());
    limits.begin(new Identity.Person(1001), nobody()).end();
    assertEquals(1, registry.counter("rollcall.gateway.limited", "kind", "user").count());
  }

  @Test
  void eachFurther4KibOfARequestCostsAsACallDoes() {
    var limits = new IdentityLimits(new Rates(5, 1_000_000, 1_000_000), registry);
    var person = new Identity.Person(1000);
    var small = limits.begin(person, nobody());
    small.read(0);
    small.read(4_096);
    small.question();
    small.end();
    var large = limits.begin(person, nobody());
    large.read(1_000_000); // 244 more: what it does now is done, and what comes next waits
    large.end();
    assertRefused("uid 1000 asks more than 5 times a second", () -> limits.begin(person, nobody()));
    limits.begin(new Identity.Person(1001), nobody()).end();

    var named = limits.begin(NODE, Optional.of("1002"));
    named.read(5 * 4_096 + 1);
    assertRefused("uid 1002 at node n1 asks more than 5 times a second", named::question);
    limits.begin(NODE, Optional.of("1003")).end();
  }

  @Test
  void aUserWhomANodeNamesDoesNotUseUpTheNode() {
    var limits = new IdentityLimits(new Rates(5, 1_000_000, 1), registry);
    var failure = flood(() -> limits.begin(NODE, Optional.of("1000")).end());
    assertEquals(
        "uid 1000 at node n1 asks more than 5 times a second",
        failure.getStatus().getDescription());
    limits.begin(NODE, Optional.of("1001")).end();
    limits.begin(NODE, nobody()).end();
  }

  @Test
  void aNodeThatNamesEverOtherUsersIsOneNode() {
    var limits = new IdentityLimits(new Rates(5, 10, 1), registry);
    int[] uid = {1};
    var failure = flood(() -> limits.begin(NODE, Optional.of("" + uid[0]++)).end());
    assertEquals("node n1 asks more than 10 times a second", failure.getStatus().getDescription());
  }

  /** Each would be kept for a second, and the text may have 8 KiB. */
  @Test
  void onlyAUidFromOneWhoMayNameItIsCounted() {
    var limits = new IdentityLimits(new Rates(1_000, 1_000, 1_000), registry);
    limits.begin(new Identity.Person(1000), Optional.of("1001")).end();
    limits.begin(new Identity.Service("licence", Set.of()), Optional.of("1002")).end();
    limits.begin(NODE, Optional.of("x".repeat(8_000))).end();
    assertEquals(3, limits.size(), "those who called");
    limits.begin(NODE, Optional.of("1001")).end();
    limits.begin(NODE, Optional.of("+01001")).end();
    assertEquals(4, limits.size(), "the user named in two ways too");
  }

  @Test
  void aCallBeyondTheNodesRateCountsForNoUser() {
    var limits = new IdentityLimits(new Rates(1_000, 0, 1), registry);
    assertRefused(
        "node n1 asks more than 0 times a second", () -> limits.begin(NODE, Optional.of("1001")));
    assertEquals(1, limits.size());
    assertEquals(0, limits.underWay());
  }

  @Test
  void questionsOfOneCallCount() {
    var limits = new IdentityLimits(new Rates(1, 1, 5), registry);
    var call = limits.begin(new Identity.Service("licence", Set.of()), nobody());
    var failure = flood(call::question);
    assertEquals(
        "service licence asks more than 5 times a second", failure.getStatus().getDescription());
  }

  @Test
  void callsUnderWayAreBoundedAndGivenBackOnce() {
    var limits = new IdentityLimits(new Rates(1_000_000, 1, 1), registry);
    List<IdentityLimits.Allowance> calls = new ArrayList<>();
    Identity person = new Identity.Person(1000);
    for (int i = 0; i < 32; i++) {
      calls.add(limits.begin(person, nobody()));
    }
    String words = "uid 1000 has more than 32 calls in progress";
    assertRefused(words, () -> limits.begin(person, nobody()));
    calls.getFirst().end();
    calls.getFirst().end();
    calls.set(0, limits.begin(person, nobody()));
    assertRefused(words, () -> limits.begin(person, nobody()));
  }

  @Test
  void whoeverHasRestedIsForgotten() throws Exception {
    var limits = new IdentityLimits(new Rates(1_000_000, 1, 1), registry);
    limits.begin(new Identity.Person(1000), nobody()).end();
    var open = limits.begin(new Identity.Person(1001), nobody());
    Await.until(
        "the one who is done is forgotten",
        () -> {
          limits.tick();
          return limits.size() == 1;
        });
    open.end();
    Await.until(
        "the other is",
        () -> {
          limits.tick();
          return limits.size() == 0;
        });
  }
}
