package dev.rollcall.load.attack;

import dev.rollcall.load.attack.AttackConnection.Reading;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Carries out the operations of an attack, each on all connections that are open. */
final class AttackRun implements AutoCloseable {
  private static final Duration STEP_WITHIN = Duration.ofSeconds(3);

  /** So many connections are dialled at the same time. */
  private static final int AT_ONCE = 16;

  private static final int MOST_CONNECTIONS = 600;

  private final AttackTarget target;
  private final List<AttackConnection> connections = new ArrayList<>();

  AttackRun(AttackTarget target) {
    this.target = target;
  }

  /**
   * @param goesOn false ends it before the next operation
   */
  void run(Attack attack, BooleanSupplier goesOn) {
    for (Step step : attack.steps()) {
      if (goesOn.getAsBoolean()) {
        run(step);
      }
    }
  }

  private void run(Step step) {
    switch (step.verb()) {
      case OPEN -> open(step);
      case WAIT -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(step.number(0)));
      case CLOSE -> close();
      case ABORT -> {
        told(step);
        close();
      }
      default -> told(step);
    }
  }

  private void told(Step step) {
    var done = new CountDownLatch(connections.size());
    connections.forEach(connection -> connection.say(step, done));
    await(done);
  }

  private void open(Step step) {
    int left = Math.min(step.number(2), MOST_CONNECTIONS - connections.size());
    while (left > 0) {
      int now = Math.min(left, AT_ONCE);
      var connected = new CountDownLatch(now);
      for (int i = 0; i < now; i++) {
        AttackConnection connection = connection(step, connections.size());
        connections.add(connection);
        connection.start(step, connected);
      }
      if (!await(connected)) {
        return;
      }
      left -= now;
    }
  }

  private AttackConnection connection(Step step, int number) {
    String protocol = step.word(0);
    String client = step.word(1);
    int addresses = Math.max(1, step.number(3));
    Optional<String> proof = target.authorization(client, number % addresses);
    Speech speech =
        switch (protocol) {
          case "h2" -> new Http2Speech(proof);
          case "http1" -> new Http1Speech(proof);
          case "frames" -> new FramesSpeech();
          default -> AttackRun::raw;
        };
    return new AttackConnection(
        () -> target.connect(protocol, client, number, addresses),
        speech,
        Reading.valueOf(step.word(4).toUpperCase(Locale.ROOT)));
  }

  /** Bytes in the place of a handshake of TLS. */
  private static void raw(Step step, Speech.Sink sink) throws IOException {
    if (step.verb() == Verb.MESSAGE) {
      sink.write(Shape.of(step.word(0)).bytes(step.number(1)));
    }
  }

  private static boolean await(CountDownLatch done) {
    try {
      return done.await(STEP_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    connections.forEach(AttackConnection::close);
    connections.clear();
  }
}
