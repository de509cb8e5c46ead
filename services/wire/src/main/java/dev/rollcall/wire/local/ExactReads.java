package dev.rollcall.wire.local;

import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import java.util.function.IntSupplier;

/** Lets a channel read as many bytes from its socket as its handler wants, and no more. */
final class ExactReads extends DefaultMaxMessagesRecvByteBufAllocator {
  private final IntSupplier wanted;

  /**
   * @param wanted bytes of the next read, at least 1
   */
  ExactReads(IntSupplier wanted) {
    super(1);
    this.wanted = wanted;
  }

  @Override
  @SuppressWarnings("deprecation") // netty has no newer type for it
  public Handle newHandle() {
    return new MaxMessageHandle() {
      @Override
      public int guess() {
        return wanted.getAsInt();
      }
    };
  }
}
