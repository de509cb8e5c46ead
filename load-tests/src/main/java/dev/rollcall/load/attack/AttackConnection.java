package dev.rollcall.load.attack;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One connection of an attack: its operations are written by a thread of its own. */
final class AttackConnection implements Closeable {
  private static final int BUFFER = 64 << 10;

  private static final int LITTLE = 512;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** How answers are read: as they come, 10 KB a second without understanding them, or not. */
  enum Reading {
    READS,
    SLOW,
    DEAF
  }

  private record Order(Step step, CountDownLatch done) {}

  /** Connects. */
  interface Dial {
    Wire connect() throws IOException;
  }

  private final Dial dial;
  private final Speech speech;
  private final Reading reading;
  private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();
  private final Thread writer = Thread.ofVirtual().unstarted(this::run);
  private volatile Closeable open = () -> {};
  private volatile boolean closed;

  AttackConnection(Dial dial, Speech speech, Reading reading) {
    this.dial = dial;
    this.speech = speech;
    this.reading = reading;
  }

  /**
   * @param connected counted down when it is connected, or failed to be
   */
  void start(Step opening, CountDownLatch connected) {
    orders.add(new Order(opening, connected));
    writer.start();
  }

  /**
   * @param done counted down when it is written, or can never be
   */
  void say(Step step, CountDownLatch done) {
    orders.add(new Order(step, done));
    if (!writer.isAlive()) {
      done.countDown();
    }
  }

  private void run() {
    try {
      Order opening = orders.take();
      Wire wire;
      try {
        wire = dial.connect();
        open = wire;
      } finally {
        opening.done().countDown();
      }
      if (!closed) {
        write(wire);
      }
    } catch (IOException e) {
      // The server refused it, or closed it: the attack goes on with the others.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      orders.forEach(order -> order.done().countDown());
    }
  }

  private void write(Wire wire) throws IOException, InterruptedException {
    OutputStream out = new BufferedOutputStream(wire.out(), BUFFER);
    var sink = new Buffered(out, false);
    speech.begin(sink);
    sink.flush();
    if (reading != Reading.DEAF) {
      Thread.ofVirtual().start(() -> read(wire, out));
    }
    while (true) {
      Order order = orders.take();
      try {
        carryOut(order.step(), wire, sink);
      } finally {
        order.done().countDown();
      }
    }
  }

  private void carryOut(Step step, Wire wire, Speech.Sink sink) throws IOException {
    switch (step.verb()) {
      case SHUT -> wire.shut().close();
      case ABORT -> wire.abort().close();
      case REKEY -> {
        for (int left = step.number(0); left > 0; left--) {
          wire.rekey().close();
        }
      }
      default -> {
        speech.say(step, sink);
        sink.flush();
      }
    }
  }

  /** Two threads write to a connection. */
  private record Buffered(OutputStream out, boolean atOnce) implements Speech.Sink {
    @Override
    public void write(byte[] bytes) throws IOException {
      synchronized (out) {
        out.write(bytes);
        if (atOnce) {
          out.flush();
        }
      }
    }

    @Override
    public void flush() throws IOException {
      synchronized (out) {
        out.flush();
      }
    }
  }

  private void read(Wire wire, OutputStream out) {
    try {
      while (reading == Reading.SLOW && wire.in().readNBytes(LITTLE).length > 0) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      speech.read(wire.in(), new Buffered(out, true));
    } catch (IOException e) {
      // It is closed.
    }
  }

  @Override
  public void close() {
    closed = true;
    writer.interrupt();
    try {
      open.close();
    } catch (IOException e) {
      // It is closed all the same.
    }
  }
}
