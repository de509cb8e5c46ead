package dev.rollcall.wire.grpc.limit;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Passes on at most {@value #REQUESTS} requests of an HTTP/2 connection in one turn of its event
 * loop, so that the other connections have theirs; none while answers wait for the peer to read, or
 * while the process is short of memory for such peers. What came after them waits, and nothing more
 * is read meanwhile. It stands behind {@link FrameCredit} from the end of HTTP/2's preface on.
 */
final class RequestsPerTurn extends ChannelInboundHandlerAdapter {
  static final int REQUESTS = 4;
  private static final long SHORT_OF_MEMORY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** A buffer in the heap: a request of 20 bytes has one of its own if its TLS record has. */
  private static final int OBJECTS = 256;

  private final FrameHeaders frames = new FrameHeaders(this::frame);
  private final Deque<ByteBuf> waiting = new ArrayDeque<>();
  private int begun;
  private boolean later;
  private boolean passing;

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      context.fireChannelRead(message);
      return;
    }
    boolean waits = later || passing || !waiting.isEmpty();
    if (waits || !pass(context, bytes)) {
      keep(context, FittedBuffer.of(bytes, context.alloc()));
    }
    if (!waits) {
      settle(context);
    }
  }

  private void keep(ChannelHandlerContext context, ByteBuf bytes) {
    if (!context.isRemoved() && AcceptedConnection.hold(context.channel(), cost(bytes))) {
      waiting.add(bytes);
    } else {
      bytes.release();
      var _ = context.close();
    }
  }

  private static int cost(ByteBuf waiting) {
    return OBJECTS + waiting.capacity();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (!later) {
      begun = 0;
    }
    context.fireChannelReadComplete();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (!later && !passing) {
      passOn(context);
    }
    context.fireChannelWritabilityChanged();
  }

  private void passOn(ChannelHandlerContext context) {
    boolean more = true;
    while (more && !waiting.isEmpty()) {
      ByteBuf first = waiting.remove();
      int cost = cost(first);
      more = pass(context, first);
      if (more) {
        AcceptedConnection.release(context.channel(), cost);
      } else {
        waiting.addFirst(first);
      }
    }
    settle(context);
  }

  /** False if some of the bytes are left. */
  private boolean pass(ChannelHandlerContext context, ByteBuf bytes) {
    Channel channel = context.channel();
    boolean isShort = AcceptedConnection.isRefused(channel);
    boolean all = false;
    passing = true;
    while (!all && begun < REQUESTS && !isShort && channel.isWritable()) {
      int end = frames.passWhile(bytes, bytes.readerIndex(), () -> begun < REQUESTS);
      all = end == bytes.writerIndex();
      context.fireChannelRead(all ? bytes : bytes.readRetainedSlice(end - bytes.readerIndex()));
    }
    passing = false;
    return all;
  }

  private void settle(ChannelHandlerContext context) {
    Channel channel = context.channel();
    later = channel.isWritable() && !waiting.isEmpty();
    if (later) {
      boolean isShort = AcceptedConnection.isRefused(channel);
      // A scheduled task runs after the next reads; one that is executed runs before them.
      long pause = isShort ? SHORT_OF_MEMORY_NANOS : 0;
      var _ = context.executor().schedule(() -> next(context), pause, TimeUnit.NANOSECONDS);
    }
    var _ = channel.config().setAutoRead(channel.isWritable() && waiting.isEmpty());
  }

  private void next(ChannelHandlerContext context) {
    begun = 0;
    passOn(context);
    context.fireChannelReadComplete();
  }

  /** A request begins; trailers of one count, too. */
  private void frame(int type, int length, int stream) {
    if (type == FrameHeaders.HEADERS) {
      begun++;
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    for (ByteBuf each : waiting) {
      AcceptedConnection.release(context.channel(), cost(each));
      each.release();
    }
    waiting.clear();
  }
}
