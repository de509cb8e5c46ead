package dev.rollcall.agent.board;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.agent.TestNode;
import dev.rollcall.agent.event.AnnouncedCall;
import dev.rollcall.agent.event.BoardAnswer;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.SourceLost;
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
import io.vertx.core.VerticleBase;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several threads announce to the board by the bus, and take from it, on a real event loop. */
class BoardHistoryTest {
  private static final Rounds ROUNDS = Rounds.of(500, 20_000, 3, 6);
  private static final Duration KEEP = Duration.ofSeconds(150);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int NEVER_ANNOUNCED = 9;

  private final TestNode node = new TestNode();
  private final AtomicLong nanos = new AtomicLong(17);
  private int round;

  BoardHistoryTest() throws IOException {}

  @AfterEach
  void close() throws IOException {
    node.close();
  }

  /** A board that looks in one turn of the loop and takes away in the next. */
  private static final class TwoTurns extends VerticleBase {
    private final Bus bus;
    private final Map<Connection, Caller> entries = new HashMap<>();

    TwoTurns(Bus bus) {
      this.bus = bus;
    }

    @Override
    public Future<?> start() {
      bus.hear(
          Topics.CALL_ANNOUNCED,
          told -> entries.put(told.call().connection(), told.call().caller()));
      bus.hear(Topics.SOURCE_LOST, _ -> entries.clear());
      bus.answer(Queries.CALLER_ANNOUNCED, this::take);
      return Future.succeededFuture();
    }

    private Future<BoardAnswer> take(Connection call) {
      Optional<Caller> found = Optional.ofNullable(entries.get(call));
      Promise<BoardAnswer> taken = Promise.promise();
      context.runOnContext(_ -> {
        entries.remove(call);
        taken.complete(
            found
                .<BoardAnswer>map(BoardAnswer.Announced::new)
                .orElseGet(BoardAnswer.NotAnnounced::new));
      });
      return taken.future();
    }
  }

  /** Every round has nodes of its own, since a board remembers how far each has counted. */
  private final class Callers implements Subject<BoardDeed, Integer> {
    private final int number = ++round;
    private final Map<Integer, Long> told = new HashMap<>();
    private int lastPid;

    @Override
    public BoardDeed next(Random random, int thread) {
      int port = 1 + random.nextInt(2);
      return switch (random.nextInt(12)) {
        case 0, 1, 2, 3 -> {
          long step = random.nextInt(6) == 0 ? random.nextInt(3) : 1;
          yield new BoardDeed.Announce(
              thread, port, told.merge(thread, step, Long::sum), ++lastPid);
        }
        case 4 -> new BoardDeed.Lose(random.nextInt(3));
        case 5 -> new BoardDeed.Expire();
        case 6 -> new BoardDeed.Withdraw(thread, port, told.merge(thread, 1L, Long::sum));
        default -> new BoardDeed.Take(port);
      };
    }

    @Override
    public Integer perform(BoardDeed deed) {
      switch (deed) {
        case BoardDeed.Announce(int from, int port, long sequence, int pid) -> {
          var call = new Call(TestNode.callFrom(TestNode.FAR, port), caller(from, pid));
          node.bus.tell(Topics.CALL_ANNOUNCED, new AnnouncedCall(call, sequence, 1));
          take(NEVER_ANNOUNCED);
        }
        case BoardDeed.Withdraw(int from, int port, long sequence) -> {
          var call = TestNode.callFrom(TestNode.FAR, port);
          node.bus.tell(
              Topics.ANNOUNCEMENT_WITHDRAWN, new WithdrawnCall(name(from), call, sequence, 1));
          take(NEVER_ANNOUNCED);
        }
        case BoardDeed.Lose(int from) -> {
          node.bus.tell(Topics.SOURCE_LOST, new SourceLost(Optional.of(name(from))));
          take(NEVER_ANNOUNCED);
        }
        case BoardDeed.Expire() -> nanos.addAndGet(KEEP.toNanos());
        case BoardDeed.Take(int port) -> {
          return take(port);
        }
      }
      return 0;
    }

    /** The caller's pid, or 0. What was told before this question is taken in before it. */
    private int take(int port) {
      var call = TestNode.callFrom(TestNode.FAR, port);
      return switch (TestNode.await(node.bus.ask(Queries.CALLER_ANNOUNCED, call, PATIENCE))) {
        case BoardAnswer.Announced(Caller caller) -> caller.process().pid();
        case BoardAnswer.NotAnnounced() -> 0;
      };
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
      node.bus.tell(Topics.SOURCE_LOST, SourceLost.ALL);
    }
  }

  @Test
  void anAnnouncedCallerIsTakenOnceAndInOrder() throws Exception {
    node.deploy(
        new BoardVerticle(node.bus, KEEP, TestNode.IS_OWN, new SimpleMeterRegistry(), nanos::get));
    assertEquals(Optional.empty(), ROUNDS.unexplained(Callers::new, new OneBoard()));
    System.out.printf("board: %s were linearizable%n", ROUNDS);
  }

  @Test
  void aBoardThatLooksAndTakesInTwoTurnsIsFound() throws Exception {
    node.deploy(new TwoTurns(node.bus));
    assertTrue(ROUNDS.unexplained(Callers::new, new OneBoard()).isPresent());
  }
}
