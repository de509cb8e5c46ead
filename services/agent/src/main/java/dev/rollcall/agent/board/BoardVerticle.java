package dev.rollcall.agent.board;

import dev.rollcall.agent.board.BoardMeters.Dropped;
import dev.rollcall.agent.event.AnnouncedCall;
import dev.rollcall.agent.event.BoardAnswer;
import dev.rollcall.agent.event.Bus;
import dev.rollcall.agent.event.PendingCaller;
import dev.rollcall.agent.event.Queries;
import dev.rollcall.agent.event.Topics;
import dev.rollcall.agent.event.WithdrawnCall;
import dev.rollcall.model.Caller;
import dev.rollcall.model.Connection;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.net.InetAddress;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Holds announced callers until their sessions arrive. Its one event loop alone touches the board,
 * so what the bus brings from any threads is taken in one after another.
 */
public final class BoardVerticle extends VerticleBase {
  /** About 300 bytes each. A flood pushes out the oldest, whose sessions then ask instead. */
  private static final int CAPACITY = 16_384;

  /** An entry outlives sshd's patience with a login by this much. */
  private static final Duration LITTLE_MORE = Duration.ofSeconds(30);

  private final Bus bus;
  private final Board board;
  private final BoardMeters meters;
  private final Predicate<InetAddress> isOwn;

  /**
   * @param loginGrace sshd's LoginGraceTime
   * @param isOwn whether an address is this node's: announcements for others are not
   */
  public BoardVerticle(
      Bus bus, Duration loginGrace, Predicate<InetAddress> isOwn, MeterRegistry registry) {
    this(bus, loginGrace.plus(LITTLE_MORE), isOwn, registry, System::nanoTime);
  }

  BoardVerticle(
      Bus bus,
      Duration keep,
      Predicate<InetAddress> isOwn,
      MeterRegistry registry,
      LongSupplier nanoClock) {
    this.bus = bus;
    this.isOwn = isOwn;
    this.meters = new BoardMeters(registry);
    this.board = new Board(keep, CAPACITY, nanoClock, meters, new Telling());
  }

  /** A caller that is in no job, and asks for none, decides nothing. */
  private final class Telling implements Board.Listener {
    @Override
    public void came(Connection call, Caller caller, Duration keep) {
      if (caller.membership().jobStep().isPresent() || caller.chosen().isPresent()) {
        bus.tell(Topics.CALLER_PENDING, new PendingCaller(call, caller, keep));
      }
    }

    @Override
    public void went(Connection call) {
      bus.tell(Topics.CALLER_SETTLED, call);
    }
  }

  @Override
  public Future<?> start() {
    bus.hear(Topics.CALL_ANNOUNCED, this::announce);
    bus.hear(Topics.ANNOUNCEMENT_WITHDRAWN, this::withdraw);
    bus.hear(Topics.SOURCE_LOST, board::lose);
    bus.hear(Topics.LOGIN_ARRIVED, board::arrived);
    bus.answer(Queries.CALLER_ANNOUNCED, call -> Future.succeededFuture(take(call)));
    return Future.succeededFuture();
  }

  private void announce(AnnouncedCall announced) {
    if (isOwn.test(announced.call().connection().remote().address())) {
      board.announce(announced);
    } else {
      meters.dropped(Dropped.NOT_OURS, 1);
    }
  }

  private void withdraw(WithdrawnCall withdrawn) {
    if (isOwn.test(withdrawn.connection().remote().address())) {
      board.withdraw(withdrawn);
    } else {
      meters.dropped(Dropped.NOT_OURS, 1);
    }
  }

  private BoardAnswer take(Connection call) {
    return board
        .take(call)
        .<BoardAnswer>map(BoardAnswer.Announced::new)
        .orElseGet(BoardAnswer.NotAnnounced::new);
  }
}
