package dev.rollcall.wire.grpc.limit;

import dev.rollcall.wire.log.ProcessEnd;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import io.vertx.core.impl.buffer.VertxByteBufAllocator;
import java.util.function.Consumer;

/**
 * Allocates the buffers of connections as Vert.x does, and ends the process when direct memory is
 * exhausted. The JVM does not: libraries throw that OutOfMemoryError, and event loops catch it, so
 * that a process would go on without being able to read or write.
 */
final class EndingAllocator extends AbstractByteBufAllocator {
  static final ByteBufAllocator ONE =
      new EndingAllocator(VertxByteBufAllocator.POOLED_ALLOCATOR, ProcessEnd.OUT_OF_MEMORY::now);

  private final ByteBufAllocator buffers;
  private final Consumer<String> end;

  EndingAllocator(ByteBufAllocator buffers, Consumer<String> end) {
    super(true);
    this.buffers = buffers;
    this.end = end;
  }

  @Override
  public boolean isDirectBufferPooled() {
    return buffers.isDirectBufferPooled();
  }

  @Override
  protected ByteBuf newHeapBuffer(int initial, int most) {
    return buffers.heapBuffer(initial, most);
  }

  @Override
  protected ByteBuf newDirectBuffer(int initial, int most) {
    try {
      return buffers.directBuffer(initial, most);
    } catch (OutOfMemoryError e) {
      end.accept(
          "direct memory is exhausted: the limit is %d bytes (io.netty.maxDirectMemory): %s"
              .formatted(PlatformDependent.maxDirectMemory(), e.getMessage()));
      throw e;
    }
  }
}
