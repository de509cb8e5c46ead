package dev.rollcall.linux.execs;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rollcall.linux.Epoll;
import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.bpf.BpfLink;
import dev.rollcall.linux.bpf.BpfMap;
import dev.rollcall.linux.bpf.BpfMap.Shape;
import dev.rollcall.linux.bpf.BpfProgram;
import dev.rollcall.linux.bpf.RingBuffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Tells of programs that watched users begin outside a fence, as long as it is open: nothing of it
 * stays in the kernel afterwards. Its thread sleeps while there is nothing to tell, and dies,
 * uncaught, when there is nothing to read from any more.
 */
public final class ExecWatch implements AutoCloseable {
  /** Told on the watch's own thread. Must not block. */
  public interface Listener {
    /**
     * @param pid in the first pid namespace; may have ended
     * @param uid its real uid when it began
     */
    void begun(int pid, int uid);

    /** So many were not told since the last time: they came faster than they were read. */
    void lost(long execs);
  }

  private static final ValueLayout.OfInt INT_ANYWHERE = JAVA_INT.withByteAlignment(1);
  private static final System.Logger LOG = System.getLogger(ExecWatch.class.getName());
  private static final int MOST_UIDS = 4_096;
  private static final int RING_BYTES = 1 << 16;
  private static final Duration END = Duration.ofSeconds(5);

  private final ExecMaps maps;
  private final BpfLink link;
  private final RingBuffer ring;
  private final Epoll epoll;
  private final Listener listener;
  private final Thread thread;
  private final Set<Integer> watched = new HashSet<>();
  private long lost;
  private volatile boolean stopped;

  /** What the program and this share. */
  private record ExecMaps(BpfMap uids, BpfMap ring, BpfMap lost) implements AutoCloseable {
    static ExecMaps make() throws ErrnoException {
      BpfMap uids = BpfMap.create(new Shape("exec_uids", BpfMap.Type.HASH, 4, 1, MOST_UIDS));
      try {
        BpfMap ring = BpfMap.create(new Shape("execs", BpfMap.Type.RINGBUF, 0, 0, RING_BYTES));
        try {
          BpfMap lost = BpfMap.create(new Shape("execs_lost", BpfMap.Type.ARRAY, 4, 8, 1));
          return new ExecMaps(uids, ring, lost);
        } catch (ErrnoException e) {
          ring.close();
          throw e;
        }
      } catch (ErrnoException e) {
        uids.close();
        throw e;
      }
    }

    @Override
    public void close() {
      uids.close();
      ring.close();
      lost.close();
    }
  }

  private ExecWatch(ExecMaps maps, BpfLink link, RingBuffer ring, Epoll epoll, Listener listener) {
    this.maps = maps;
    this.link = link;
    this.ring = ring;
    this.epoll = epoll;
    this.listener = listener;
    this.thread = Thread.ofPlatform().name("rollcall-execs").daemon().unstarted(this::run);
  }

  /**
   * Begins to watch; nobody yet.
   *
   * @throws IOException without CAP_BPF and CAP_PERFMON, or on a kernel before 5.14
   */
  public static ExecWatch open(Fence fence, Listener listener) throws IOException {
    ExecMaps maps = ExecMaps.make();
    try {
      byte[] code = ExecProgram.assemble(fence, maps.uids, maps.ring, maps.lost);
      try (BpfProgram program =
          BpfProgram.load(
              BpfProgram.Type.RAW_TRACEPOINT, "rollcall_exec", ExecProgram.LICENSE, code)) {
        RingBuffer ring = RingBuffer.open(maps.ring);
        Epoll epoll = Epoll.open();
        epoll.add(maps.ring.descriptor());
        BpfLink link = BpfLink.tracepoint(program, ExecProgram.TRACEPOINT);
        ExecWatch watch = new ExecWatch(maps, link, ring, epoll, listener);
        watch.thread.start();
        return watch;
      }
    } catch (IOException e) {
      maps.close();
      throw e;
    }
  }

  /** Watches these users from now on, and no others. */
  public synchronized void watch(Set<Integer> uids) throws ErrnoException {
    Set<Integer> gone = new HashSet<>(watched);
    gone.removeAll(uids);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment key = arena.allocate(JAVA_INT);
      MemorySegment value = arena.allocate(1);
      for (int uid : gone) {
        key.set(JAVA_INT, 0, uid);
        maps.uids.remove(key);
        watched.remove(uid);
      }
      for (int uid : uids) {
        if (!watched.contains(uid)) {
          key.set(JAVA_INT, 0, uid);
          maps.uids.put(key, value);
          watched.add(uid);
        }
      }
    }
  }

  private void run() {
    try {
      while (!stopped) {
        ring.drain(record ->
            guarded(
                () -> listener.begun(record.get(INT_ANYWHERE, 4), record.get(INT_ANYWHERE, 0))));
        tellLost();
        epoll.await(Optional.empty());
      }
    } catch (ErrnoException e) {
      throw new UncheckedIOException(
          "programs outside of jobs are no longer seen: " + e.getMessage(), e);
    }
  }

  private void tellLost() throws ErrnoException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(JAVA_LONG);
      maps.lost.lookUp(arena.allocate(JAVA_INT), value);
      long now = value.get(JAVA_LONG, 0);
      if (now > lost) {
        long execs = now - lost;
        guarded(() -> listener.lost(execs));
      }
      lost = now;
    }
  }

  /** A listener that throws must not end the telling. */
  private static void guarded(Runnable telling) {
    try {
      telling.run();
    } catch (RuntimeException e) {
      LOG.log(ERROR, "a listener of execs threw", e);
    }
  }

  @Override
  public void close() {
    link.close();
    stopped = true;
    epoll.wake();
    try {
      if (!thread.join(END)) {
        LOG.log(ERROR, "the listener of execs does not return: its ring stays open");
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    ring.close();
    epoll.close();
    maps.close();
  }
}
