package dev.rollcall.linux.calls;

import static dev.rollcall.linux.bpf.RingThread.guarded;

import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.bpf.RingThread;
import dev.rollcall.port.CallSource.Listener;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;

/** Reports what the ring carries to a listener. */
final class RingReader implements RingThread.Reader {
  private final Listener listener;
  private final LostCalls lost;
  private boolean begun;
  private boolean lostRecordSeen;

  RingReader(CallMaps maps, Listener listener) {
    this.listener = listener;
    this.lost = new LostCalls(maps.counters(), calls -> guarded(() -> listener.lost(calls)));
  }

  @Override
  public void read(MemorySegment record) {
    switch ((int) record.byteSize()) {
      case CallLayout.LOST_RECORD_SIZE -> lostRecordSeen = true;
      case CallLayout.ARRIVAL_SIZE -> listener.arrived();
      case CallLayout.WITHDRAWAL_SIZE -> listener.withdrawn(CallRecord.connection(record));
      default -> {
        MemorySegment value = record.asSlice(CallLayout.KEY_SIZE);
        listener.called(CallRecord.seen(CallRecord.connection(record), value));
      }
    }
  }

  /** Looks for losses now: a program that found the ring full counts on it. */
  @Override
  public Optional<Duration> drained() throws ErrnoException {
    if (!begun) {
      lost.start();
      begun = true;
    }
    boolean seen = lostRecordSeen;
    lostRecordSeen = false;
    return lost.check(seen);
  }
}
