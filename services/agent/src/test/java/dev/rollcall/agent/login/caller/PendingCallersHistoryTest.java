package dev.rollcall.agent.login.caller;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.event.AnnouncedCall;
import dev.rollcall.agent.event.LostSource;
import dev.rollcall.agent.event.RollQuestion;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.agent.event.WithdrawnCall;
import dev.rollcall.model.Call;
import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import dev.rollcall.model.Membership;
import dev.rollcall.model.NodeName;
import dev.rollcall.model.ProcessRef;
import dev.rollcall.testkit.history.Rounds;
import dev.rollcall.testkit.history.Subject;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several threads announce callers by the bus, and take them, on a real event loop. */
class PendingCallersHistoryTest {
  private static final Rounds ROUNDS = Rounds.of(500, 20_000, 3, 6);
  private static final Duration KEEP = Duration.ofSeconds(150);
  private static final int NEVER_ANNOUNCED = 9;

  private final TestNode node = new TestNode();
  private final AtomicLong nanos = new AtomicLong(17);
  private @Nullable Pending pending;
  private int round;

  private record Ignored() implements PendingCallers.Listener {
    @Override
    public void expected(Connection call, Caller caller, Duration keep) {}

    @Override
    public void settled(Connection call) {}
  }

  private Pending pending() {
    return requireNonNull(pending);
  }

  PendingCallersHistoryTest() throws IOException {}

  @AfterEach
  void close() throws IOException {
    node.close();
  }

  /** The callers that are pending, as the stage of logins asks for them on its event loop. */
  private interface Pending {
    void announce(AnnouncedCall announced);

    void withdraw(WithdrawnCall withdrawn);

    void lose(LostSource lost);

    Future<Optional<Caller>> take(Connection call);
  }

  private record Real(PendingCallers callers) implements Pending {
    @Override
    public void announce(AnnouncedCall announced) {
      callers.announce(announced);
    }

    @Override
    public void withdraw(WithdrawnCall withdrawn) {
      callers.withdraw(withdrawn);
    }

    @Override
    public void lose(LostSource lost) {
      callers.lose(lost);
    }

    @Override
    public Future<Optional<Caller>> take(Connection call) {
      return Future.succeededFuture(callers.take(call, RollQuestion.ANY_AGE));
    }
  }

  /** Looks in one turn of the loop and takes away in the next. */
  private final class TwoTurns implements Pending {
    private final Map<Connection, Caller> entries = new HashMap<>();

    @Override
    public void announce(AnnouncedCall announced) {
      entries.put(announced.call().connection(), announced.call().caller());
    }

    @Override
    public void withdraw(WithdrawnCall withdrawn) {}

    @Override
    public void lose(LostSource lost) {
      entries.clear();
    }

    @Override
    public Future<Optional<Caller>> take(Connection call) {
      Optional<Caller> found = Optional.ofNullable(entries.get(call));
      Promise<Optional<Caller>> taken = Promise.promise();
      node.vertx.runOnContext(_ -> {
        entries.remove(call);
        taken.complete(found);
      });
      return taken.future();
    }
  }

  private void listen(Pending callers) {
    pending = callers;
    node.bus.hear(Topics.CALL_ANNOUNCED, callers::announce);
    node.bus.hear(Topics.ANNOUNCEMENT_WITHDRAWN, callers::withdraw);
    node.bus.hear(Topics.SOURCE_LOST, callers::lose);
  }

  /** Every round has nodes of its own, since it is remembered how far each has counted. */
  private final class Callers implements Subject<CallerAction, Integer> {
    private final int number = ++round;
    private final Map<Integer, Long> told = new HashMap<>();
    private int lastPid;

    @Override
    public CallerAction next(Random random, int thread) {
      int port = 1 + random.nextInt(2);
      return switch (random.nextInt(12)) {
        case 0, 1, 2, 3 -> {
          long step = random.nextInt(6) == 0 ? random.nextInt(3) : 1;
          yield new CallerAction.Announce(
              thread, port, told.merge(thread, step, Long::sum), ++lastPid);
        }
        case 4 -> new CallerAction.Lose(random.nextInt(3));
        case 5 -> new CallerAction.Expire();
        case 6 -> new CallerAction.Withdraw(thread, port, told.merge(thread, 1L, Long::sum));
        default -> new CallerAction.Take(port);
      };
    }

    @Override
    public Integer perform(CallerAction deed) {
      switch (deed) {
        case CallerAction.Announce(int from, int port, long sequence, int pid) -> {
          var call = new Call(TestNode.callFrom(TestNode.FAR, port), caller(from, pid));
          node.bus.tell(Topics.CALL_ANNOUNCED, new AnnouncedCall(call, sequence, 1));
          take(NEVER_ANNOUNCED);
        }
        case CallerAction.Withdraw(int from, int port, long sequence) -> {
          var call = TestNode.callFrom(TestNode.FAR, port);
          node.bus.tell(
              Topics.ANNOUNCEMENT_WITHDRAWN, new WithdrawnCall(name(from), call, sequence, 1));
          take(NEVER_ANNOUNCED);
        }
        case CallerAction.Lose(int from) -> {
          node.bus.tell(
              Topics.SOURCE_LOST, new LostSource(Optional.of(name(from)), Optional.empty()));
          take(NEVER_ANNOUNCED);
        }
        case CallerAction.Expire() -> nanos.addAndGet(KEEP.toNanos());
        case CallerAction.Take(int port) -> {
          return take(port);
        }
      }
      return 0;
    }

    /** The caller's pid, or 0. What was told before this question is taken in before it. */
    private int take(int port) {
      Promise<Optional<Caller>> taken = Promise.promise();
      node.vertx.runOnContext(
          _ -> pending().take(TestNode.callFrom(TestNode.FAR, port)).onComplete(taken));
      return TestNode.await(taken.future()).map(caller -> caller.process().pid()).orElse(0);
    }

    private NodeName name(int from) {
      return new NodeName("n" + number + "-" + from);
    }

    private Caller caller(int from, int pid) {
      return new Caller(
          "test",
          name(from),
          new Membership.NoJob(),
          TestNode.ALICE,
          new ProcessRef(pid, 9),
          TestNode.NOON);
    }

    @Override
    public void close() {
      node.bus.tell(Topics.SOURCE_LOST, LostSource.ALL);
    }
  }

  @Test
  void anAnnouncedCallerIsTakenOnceAndInOrder() throws Exception {
    listen(
        new Real(
            new PendingCallers(
                KEEP,
                16_384,
                TestNode.IS_OWN,
                nanos::get,
                new SimpleMeterRegistry(),
                new Ignored())));
    assertEquals(Optional.empty(), ROUNDS.unexplained(Callers::new, new SequentialCallers()));
    System.out.printf("pending callers: %s were linearizable%n", ROUNDS);
  }

  @Test
  void lookingAndTakingInTwoTurnsIsFound() throws Exception {
    listen(new TwoTurns());
    assertTrue(ROUNDS.unexplained(Callers::new, new SequentialCallers()).isPresent());
  }
}
