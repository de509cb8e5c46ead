package dev.rollcall.wire.grpc.limit;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** Makes buffers that wait as large as what is in them, which is what is counted. */
public final class FittedBuffer {
  private FittedBuffer() {}

  /**
   * Returns the same bytes. In each direction a TLS record of a hundred bytes has a buffer of 16
   * KiB: such a buffer is released, and its bytes are in another. So are those of a part of one.
   */
  public static ByteBuf of(ByteBuf bytes, ByteBufAllocator allocator) {
    int size = bytes.readableBytes();
    ByteBuf whole = bytes;
    while (whole.unwrap() != null) {
      whole = whole.unwrap();
    }
    if (whole.capacity() / 2 <= size) {
      return bytes;
    }
    try {
      return allocator.directBuffer(size, size).writeBytes(bytes);
    } finally {
      bytes.release();
    }
  }
}
