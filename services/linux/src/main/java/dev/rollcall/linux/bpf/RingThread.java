package dev.rollcall.linux.bpf;

import static java.lang.System.Logger.Level.ERROR;

import dev.rollcall.linux.Epoll;
import dev.rollcall.linux.ErrnoException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;

/**
 * Reads a ring buffer on its own thread, which sleeps while the buffer is empty. The thread dies,
 * uncaught, when the ring cannot be read any more.
 */
public final class RingThread {
  /** Called on the thread. */
  public interface Reader {
    /** Takes a record. An exception is logged and ends nothing. */
    void read(MemorySegment record);

    /** The ring is empty now. Returns when to call again at the latest, if at any time. */
    Optional<Duration> drained() throws ErrnoException;
  }

  private static final System.Logger LOG = System.getLogger(RingThread.class.getName());
  private static final Duration END = Duration.ofSeconds(5);

  private final RingBuffer ring;
  private final Epoll epoll;
  private final Reader reader;
  private final Thread thread;
  private volatile boolean stopped;

  private RingThread(String name, RingBuffer ring, Epoll epoll, Reader reader) {
    this.ring = ring;
    this.epoll = epoll;
    this.reader = reader;
    this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::run);
  }

  public static RingThread start(String name, BpfMap map, Reader reader) throws IOException {
    RingBuffer ring = RingBuffer.open(map);
    Epoll epoll = Epoll.open();
    epoll.add(map.descriptor());
    RingThread started = new RingThread(name, ring, epoll, reader);
    started.thread.start();
    return started;
  }

  private void run() {
    try {
      while (!stopped) {
        ring.drain(record -> guarded(() -> reader.read(record)));
        epoll.await(reader.drained());
      }
    } catch (ErrnoException e) {
      throw new UncheckedIOException(thread.getName() + " reads no more: " + e.getMessage(), e);
    }
  }

  /** Calls a listener. One that throws must not end the thread. */
  public static void guarded(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      LOG.log(ERROR, "a listener on " + Thread.currentThread().getName() + " threw", e);
    }
  }

  /** Returns whether the thread ended; if it did not, the ring stays open. */
  public boolean end() {
    stopped = true;
    epoll.wake();
    try {
      if (!thread.join(END)) {
        LOG.log(ERROR, "{0} does not end: its ring stays open", thread.getName());
        return false;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    ring.close();
    epoll.close();
    return true;
  }
}
