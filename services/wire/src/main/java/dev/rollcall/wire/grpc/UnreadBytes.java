package dev.rollcall.wire.grpc;

import dev.rollcall.wire.grpc.limit.FittedBuffer;
import dev.rollcall.wire.memory.MemoryUse;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes on their way to a peer, as its socket takes them: of each path and protocol,
 * encrypted. The connection is closed when the peer's budget has no room for them; one of others
 * than nodes and administrators also when none of them was taken for 5 s. Next to the socket.
 */
final class UnreadBytes extends ChannelOutboundHandlerAdapter {
  private static final long UNREAD_SECONDS = 5;

  private final Link link;
  private long waiting;
  private long left;
  private boolean awaited;

  UnreadBytes(Link link) {
    this.link = link;
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (!(message instanceof ByteBuf written)) {
      var _ = context.write(message, promise);
      return;
    }
    ByteBuf bytes = FittedBuffer.of(written, context.alloc());
    long size = bytes.readableBytes();
    if (!link.memory().take(MemoryUse.OUTGOING, size)) {
      bytes.release();
      var _ = promise.tryFailure(new IOException("the peer does not read"));
      end(context);
      return;
    }
    waiting += size;
    var _ =
        context.write(
            bytes,
            promise
                .unvoid()
                .addListener(_ -> {
                  waiting -= size;
                  link.memory().release(size);
                }));
    if (!awaited && !isPatient()) {
      await(context);
    }
  }

  /** Pings end a connection of these whose peer has gone, and later. */
  private boolean isPatient() {
    return switch (link.account().kind()) {
      case STRANGER, USER, SERVICE -> false;
      case PROTECTED -> true;
    };
  }

  private void await(ChannelHandlerContext context) {
    awaited = true;
    left = left(context);
    var _ =
        context
            .executor()
            .schedule(
                () -> {
                  awaited = false;
                  if (waiting > 0 && left(context) == left) {
                    end(context);
                  } else if (waiting > 0) {
                    await(context);
                  }
                },
                UNREAD_SECONDS,
                TimeUnit.SECONDS);
  }

  private static long left(ChannelHandlerContext context) {
    @Nullable ChannelOutboundBuffer buffer = context.channel().unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes() - buffer.currentProgress();
  }

  private void end(ChannelHandlerContext context) {
    link.countUnread();
    var _ = context.close();
  }
}
