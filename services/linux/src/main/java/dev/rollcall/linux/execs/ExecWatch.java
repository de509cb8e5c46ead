package dev.rollcall.linux.execs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.bpf.BpfLink;
import dev.rollcall.linux.bpf.BpfMap;
import dev.rollcall.linux.bpf.BpfMap.Shape;
import dev.rollcall.linux.bpf.BpfProgram;
import dev.rollcall.linux.bpf.RingThread;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reports programs that watched users start outside a fence while it is open, and leaves nothing in
 * the kernel afterwards. Its thread sleeps while there is nothing to tell, and dies, uncaught, when
 * there is nothing to read from any more.
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
  private static final int MOST_UIDS = 4_096;
  private static final int RING_BYTES = 1 << 16;

  private final ExecMaps maps;
  private final BpfLink link;
  private final RingThread thread;
  private final Set<Integer> watched = new HashSet<>();

  /** What the program and this share. */
  private record ExecMaps(BpfMap uids, BpfMap ring, BpfMap lost) implements AutoCloseable {
    static ExecMaps make() throws ErrnoException {
      List<BpfMap> made = new ArrayList<>();
      try {
        made.add(BpfMap.create(new Shape("exec_uids", BpfMap.Type.HASH, 4, 1, MOST_UIDS)));
        made.add(BpfMap.create(new Shape("execs", BpfMap.Type.RINGBUF, 0, 0, RING_BYTES)));
        made.add(BpfMap.create(new Shape("execs_lost", BpfMap.Type.ARRAY, 4, 8, 1)));
        return new ExecMaps(made.get(0), made.get(1), made.get(2));
      } catch (ErrnoException e) {
        made.forEach(BpfMap::close);
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

  private ExecWatch(ExecMaps maps, BpfLink link, RingThread thread) {
    this.maps = maps;
    this.link = link;
    this.thread = thread;
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
        BpfLink link = BpfLink.tracepoint(program, ExecProgram.TRACEPOINT);
        try {
          RingThread.Reader reader = reader(maps.lost, listener);
          return new ExecWatch(maps, link, RingThread.start("rollcall-execs", maps.ring, reader));
        } catch (IOException e) {
          link.close();
          throw e;
        }
      }
    } catch (IOException e) {
      maps.close();
      throw e;
    }
  }

  private static RingThread.Reader reader(BpfMap counter, Listener listener) {
    return new RingThread.Reader() {
      private long lost;

      @Override
      public void read(MemorySegment record) {
        listener.begun(record.get(INT_ANYWHERE, 4), record.get(INT_ANYWHERE, 0));
      }

      @Override
      public Optional<Duration> drained() throws ErrnoException {
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment value = arena.allocate(JAVA_LONG);
          counter.lookUp(arena.allocate(JAVA_INT), value);
          long execs = value.get(JAVA_LONG, 0) - lost;
          lost += execs;
          if (execs > 0) {
            RingThread.guarded(() -> listener.lost(execs));
          }
        }
        return Optional.empty();
      }
    };
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

  @Override
  public void close() {
    link.close();
    if (thread.end()) {
      maps.close();
    }
  }
}
