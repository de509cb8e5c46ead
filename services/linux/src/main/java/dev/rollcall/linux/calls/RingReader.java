package dev.rollcall.linux.calls;

import static java.lang.System.Logger.Level.ERROR;

import dev.rollcall.linux.Epoll;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.bpf.RingBuffer;
import dev.rollcall.port.CallSource.Listener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/**
 * Tells a listener what the ring carries, on a thread of its own that sleeps while it is empty. The
 * thread dies, uncaught, when the ring cannot be read any more.
 */
final class RingReader implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(RingReader.class.getName());
  private static final Duration END = Duration.ofSeconds(5);

  private final RingBuffer ring;
  private final Epoll epoll;
  private final Listener listener;
  private final LostCalls lost;
  private final KernelClock clock;
  private final Thread thread;
  private volatile boolean stopped;
  private boolean lostRecordSeen; // only the thread's

  private RingReader(
      CallMaps maps, RingBuffer ring, Epoll epoll, KernelClock clock, Listener listener) {
    this.ring = ring;
    this.epoll = epoll;
    this.clock = clock;
    this.listener = listener;
    this.lost = new LostCalls(maps.counters(), calls -> guarded(() -> listener.lost(calls)));
    this.thread = Thread.ofPlatform().name("rollcall-calls").daemon().unstarted(this::run);
  }

  static RingReader start(CallMaps maps, KernelClock clock, Listener listener) throws IOException {
    RingBuffer ring = RingBuffer.open(maps.ring());
    Epoll epoll = Epoll.open();
    epoll.add(maps.ring().descriptor());
    RingReader reader = new RingReader(maps, ring, epoll, clock, listener);
    reader.thread.start();
    return reader;
  }

  private void run() {
    try {
      lost.start();
      while (!stopped) {
        // Drained and only then looked for losses: a program that found the ring full counts on it.
        drain();
        epoll.await(lost.check(lostRecordSeen));
      }
    } catch (ErrnoException e) {
      throw new UncheckedIOException("calls are no longer announced: " + e.getMessage(), e);
    }
  }

  private void drain() {
    lostRecordSeen = false;
    ring.drain(this::tell);
  }

  private void tell(MemorySegment record) {
    switch ((int) record.byteSize()) {
      case CallLayout.LOST_RECORD_SIZE -> lostRecordSeen = true;
      case CallLayout.ARRIVAL_SIZE -> guarded(listener::arrived);
      case CallLayout.WITHDRAWAL_SIZE ->
          guarded(() -> listener.withdrawn(CallRecord.connection(record)));
      default -> {
        MemorySegment value = record.asSlice(CallLayout.KEY_SIZE);
        guarded(
            () -> listener.called(CallRecord.seen(CallRecord.connection(record), value, clock)));
      }
    }
  }

  /** A listener that throws must not end the telling. */
  private static void guarded(Runnable telling) {
    try {
      telling.run();
    } catch (RuntimeException e) {
      LOG.log(ERROR, "a listener of calls threw", e);
    }
  }

  @Override
  public void close() {
    stopped = true;
    epoll.wake();
    try {
      if (!thread.join(END)) {
        LOG.log(ERROR, "the listener of calls does not return: its ring stays open");
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    ring.close();
    epoll.close();
  }
}
