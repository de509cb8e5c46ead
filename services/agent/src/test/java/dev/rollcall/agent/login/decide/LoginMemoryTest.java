package dev.rollcall.agent.login.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.event.AdoptionRequested;
import dev.rollcall.agent.event.Deadline;
import dev.rollcall.agent.event.Mover;
import dev.rollcall.agent.event.OfferAnswer;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.model.AdoptOptions;
import dev.rollcall.model.Connection;
import dev.rollcall.testkit.jobs.InMemoryJobs;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LoginMemoryTest {
  private static final Duration GRACE = Duration.ofMinutes(2);
  private static final Connection CONNECTION = TestNode.callFrom(TestNode.FAR, 40_001).flipped();

  private long nanos = -7;
  private final LoginMemory<String> kept = new LoginMemory<>(GRACE, () -> nanos);

  private static AdoptionRequested request(int uid) {
    return new AdoptionRequested(
        Phase.OPEN_SESSION,
        new InMemoryJobs().start("sshd"),
        "sshd",
        "alice",
        uid,
        "",
        Optional.of(CONNECTION),
        "",
        AdoptOptions.DEFAULTS,
        new OfferAnswer.NotOffered(),
        Mover.AGENT,
        0,
        Deadline.in(GRACE));
  }

  private Optional<String> of(int uid) {
    return kept.of(request(uid));
  }

  @Test
  void isKeptForTheGrace() {
    kept.keep(request(1), "one");
    nanos += GRACE.toNanos() - 1;
    assertEquals(Optional.of("one"), of(1));
    assertEquals(Optional.empty(), of(2));
    nanos++;
    assertEquals(Optional.empty(), of(1));
  }

  @Test
  void whatWasDecidedAWhileAgoIsKeptForTheRest() {
    kept.keep(CONNECTION, 1, "one", Duration.ZERO);
    kept.keep(CONNECTION, 2, "two", Duration.ofSeconds(100));
    kept.keep(CONNECTION, 3, "over", GRACE);
    kept.keep(CONNECTION, 4, "from the future", Duration.ofSeconds(-100));
    assertEquals(Optional.empty(), of(3));
    nanos += Duration.ofSeconds(20).toNanos() - 1;
    assertEquals(Optional.of("two"), of(2));
    nanos++;
    assertEquals(Optional.empty(), of(2));
    assertEquals(Optional.empty(), kept.take(request(2)));
    assertEquals(Optional.of("one"), of(1));
    nanos += Duration.ofSeconds(100).toNanos();
    assertEquals(Optional.empty(), of(1));
    assertEquals(Optional.empty(), of(4));
  }

  @Test
  void theOldestOfMoreThan4096IsForgotten() {
    for (int uid = 1; uid <= 4_097; uid++) {
      kept.keep(request(uid), "kept");
    }
    assertEquals(Optional.empty(), of(1));
    assertEquals(Optional.of("kept"), of(2));
    assertEquals(Optional.of("kept"), of(4_097));
  }
}
