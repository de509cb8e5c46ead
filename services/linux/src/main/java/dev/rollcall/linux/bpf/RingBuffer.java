package dev.rollcall.linux.bpf;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.rollcall.linux.ErrnoException;
import dev.rollcall.linux.Syscall;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Reads a ring buffer map (Documentation/bpf/ringbuf.rst). How far it was read is kept in the
 * kernel, so that the next reader of a pinned ring goes on where this one ended. One thread only.
 */
public final class RingBuffer implements AutoCloseable {
  private static final VarHandle LONG = JAVA_LONG.varHandle();
  private static final VarHandle INT = JAVA_INT.varHandle();
  private static final int PROT_READ = 1;
  private static final int PROT_WRITE = 2;
  private static final int MAP_SHARED = 1;
  private static final int BUSY = 1 << 31; // reserved and not yet written
  private static final int DISCARDED = 1 << 30;
  private static final int HEADER = 8;
  private static final long AT_PAGESZ = 6; // getauxval(3)

  private final long size;
  private final MemorySegment consumer; // one page: u64, how far it was read
  private final MemorySegment
      producer; // one page: u64, how far it was written; then the data twice
  private final MemorySegment data;

  private RingBuffer(long size, MemorySegment consumer, MemorySegment producer, long page) {
    this.size = size;
    this.consumer = consumer;
    this.producer = producer;
    this.data = producer.asSlice(page);
  }

  public static RingBuffer open(BpfMap map) throws IOException {
    long page = pageSize();
    long size = map.shape().entries();
    MemorySegment consumer = map(map, page, PROT_READ | PROT_WRITE, 0);
    try {
      return new RingBuffer(size, consumer, map(map, page + 2 * size, PROT_READ, page), page);
    } catch (ErrnoException e) {
      unmap(consumer);
      throw e;
    }
  }

  private static long pageSize() throws IOException {
    MemorySegment auxv = MemorySegment.ofArray(Files.readAllBytes(Path.of("/proc/self/auxv")));
    for (long at = 0; at + 16 <= auxv.byteSize(); at += 16) {
      if (auxv.get(JAVA_LONG.withByteAlignment(1), at) == AT_PAGESZ) {
        return auxv.get(JAVA_LONG.withByteAlignment(1), at + 8);
      }
    }
    throw new IOException("/proc/self/auxv has no page size");
  }

  @SuppressWarnings("restricted")
  private static MemorySegment map(BpfMap map, long length, int protection, long offset)
      throws ErrnoException {
    long address = Syscall.MMAP.call(0, length, protection, MAP_SHARED, map.descriptor(), offset);
    Syscall.MMAP.check(map.shape().name(), address);
    return MemorySegment.ofAddress(address).reinterpret(length);
  }

  private static void unmap(MemorySegment segment) {
    Syscall.MUNMAP.call(segment.address(), segment.byteSize(), 0);
  }

  /** Gives every record there is to the sink, each as a copy. Returns how many. */
  public int drain(Consumer<MemorySegment> sink) {
    int records = 0;
    long read = (long) LONG.getOpaque(consumer, 0L);
    while (read < (long) LONG.getAcquire(producer, 0L)) {
      long at = read & size - 1;
      int header = (int) INT.getAcquire(data, at);
      if ((header & BUSY) != 0) {
        break; // its writer wakes the reader again
      }
      int length = header & ~DISCARDED;
      if ((header & DISCARDED) == 0) {
        byte[] copy = data.asSlice(at + HEADER, length).toArray(JAVA_BYTE);
        sink.accept(MemorySegment.ofArray(copy));
        records++;
      }
      read += length + HEADER + 7 & ~7L;
      LONG.setRelease(consumer, 0L, read);
    }
    return records;
  }

  @Override
  public void close() {
    unmap(consumer);
    unmap(producer);
  }
}
