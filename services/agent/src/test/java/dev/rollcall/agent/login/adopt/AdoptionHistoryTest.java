package dev.rollcall.agent.login.adopt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.event.Adoption;
import dev.rollcall.agent.event.Adoption.Outcome;
import dev.rollcall.agent.event.AdoptionsWanted;
import dev.rollcall.agent.event.Phase;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.model.Reason;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose decisions are remembered when there are too many. */
class AdoptionHistoryTest {
  private static final int CAPACITY = 1_024;
  private static final int ALICE = 2001;
  private static final int BOB = 2002;
  private static final int CAROL = 2003;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Set<ProcessRef> running = new HashSet<>();
  private final OpenSessions open = new OpenSessions(running::contains, registry);
  private final AdoptionHistory history = new AdoptionHistory(CAPACITY, open::add);
  private int number;

  private static Adoption adoption(String id, int uid, Outcome outcome) {
    return new Adoption(
        id,
        uid,
        "somebody",
        "sshd",
        "",
        Phase.ACCOUNT,
        outcome,
        Optional.empty(),
        Reason.NO_JOBS,
        "",
        Optional.empty(),
        Instant.EPOCH,
        Duration.ZERO,
        Optional.empty());
  }

  private String add(int uid, Outcome outcome) {
    number++;
    String id = "7-" + number;
    history.add(adoption(id, uid, outcome), new ProcessRef(number, number));
    return id;
  }

  private long size(int uid) {
    return history.list(AdoptionsWanted.of(Optional.of(uid))).size();
  }

  @Test
  void refusalsOfOneUserReplaceNoSessionAndNoRefusalOfOthers() {
    String session = add(BOB, Outcome.ADOPTED);
    String refused = add(CAROL, Outcome.DENIED);
    for (int at = 0; at < 3 * CAPACITY; at++) {
      add(ALICE, at % 2 == 0 ? Outcome.DENIED : Outcome.FAILED);
    }
    assertTrue(history.has(session));
    assertTrue(history.has(refused));
    assertTrue(size(ALICE) >= 200, "the last of hers are there as well");
    assertTrue(history.has("7-" + number));
  }

  @Test
  void sessionsOfOneUserReplaceNoneOfOthers() {
    List<String> bobs = Stream.generate(() -> add(BOB, Outcome.ADOPTED)).limit(100).toList();
    for (int at = 0; at < 3 * CAPACITY; at++) {
      add(ALICE, Outcome.ADOPTED);
    }
    assertTrue(bobs.stream().allMatch(history::has));
  }

  @Test
  void correctionsToRefusalsDoNotLetItGrow() {
    for (int at = 0; at < 3 * CAPACITY; at++) {
      String id = add(ALICE, Outcome.ADOPTED);
      history.replace(adoption(id, ALICE, Outcome.FAILED));
    }
    assertTrue(size(ALICE) <= CAPACITY);
  }

  /** By a model of what each user added last. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void everyUserHasTheirShareOfEachKindInTheOrderOfTime(long seed) {
    var random = new Random(seed);
    int users = 2 + random.nextInt(20);
    Map<Integer, Deque<String>> sessions = new HashMap<>();
    Map<Integer, Deque<String>> refusals = new HashMap<>();
    for (int at = 0; at < 3 * CAPACITY; at++) {
      // One user floods.
      int uid = random.nextInt(3) == 0 ? random.nextInt(users) : 0;
      Outcome outcome = Outcome.values()[random.nextInt(Outcome.values().length)];
      boolean refused = outcome == Outcome.DENIED || outcome == Outcome.FAILED;
      (refused ? refusals : sessions)
          .computeIfAbsent(uid, _ -> new ArrayDeque<>())
          .addFirst(add(uid, outcome));
      assertTrue(history.list(AdoptionsWanted.ALL).size() <= CAPACITY);
    }
    assertShare(refusals, CAPACITY / 4 / users);
    assertShare(sessions, CAPACITY * 3 / 4 / users);
  }

  private void assertShare(Map<Integer, Deque<String>> byUser, int share) {
    byUser.forEach((uid, newestFirst) -> {
      List<Boolean> kept = newestFirst.stream().map(history::has).toList();
      int count = (int) kept.stream().filter(it -> it).count();
      assertTrue(count >= Math.min(share, kept.size()), () -> uid + " has " + count);
      assertEquals(count, kept.lastIndexOf(true) + 1, "the newest are kept");
    });
  }

  private double sessions() {
    return registry.get("rollcall.sessions").gauge().value();
  }

  @Test
  void sessionsAreCountedWhileTheirProcessRunsAndThoseThatWereRefusedAreNot() {
    add(ALICE, Outcome.ADOPTED);
    String byPassword = add(BOB, Outcome.ADOPTED);
    add(CAROL, Outcome.DENIED);
    for (int pid = 1; pid <= 4; pid++) {
      running.add(new ProcessRef(pid, pid));
    }
    assertEquals(2, sessions());
    running.remove(new ProcessRef(2, 2));
    history.asksAgain(byPassword, new ProcessRef(4, 4));
    assertEquals(2, sessions());
    running.clear();
    assertEquals(0, sessions());
  }

  @Test
  void theOldestSessionsAreForgottenIfNobodyAsks() {
    for (int login = 0; login < OpenSessions.MOST + 2_000; login++) {
      add(ALICE, Outcome.ADOPTED);
    }
    assertEquals(OpenSessions.MOST, open.kept());
    running.add(new ProcessRef(1, 1));
    running.add(new ProcessRef(OpenSessions.MOST + 2_000, OpenSessions.MOST + 2_000));
    assertEquals(1, sessions(), "the newest");
  }
}
