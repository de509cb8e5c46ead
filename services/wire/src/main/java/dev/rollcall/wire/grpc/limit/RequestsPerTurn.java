package dev.rollcall.wire.grpc.limit;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.ArrayDeque;
import java.util.Queue;
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

  private final FrameHeaders frames = new FrameHeaders(this::frame);
  private final Queue<ByteBuf> waiting = new ArrayDeque<>();
  private int begun;
  private boolean later;
  private boolean passing;

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      context.fireChannelRead(message);
      return;
    }
    waiting.add(waiting.isEmpty() ? bytes : FittedBuffer.of(bytes, context.alloc()));
    if (!later && !passing) {
      pass(context);
    }
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
      pass(context);
    }
    context.fireChannelWritabilityChanged();
  }

  private void pass(ChannelHandlerContext context) {
    Channel channel = context.channel();
    boolean isShort = AcceptedConnection.isRefused(channel);
    passing = true;
    while (begun < REQUESTS && !isShort && channel.isWritable() && !waiting.isEmpty()) {
      passOne(context);
    }
    passing = false;
    later = channel.isWritable() && !waiting.isEmpty();
    if (later) {
      // A scheduled task runs after the next reads; one that is executed runs before them.
      long pause = isShort ? SHORT_OF_MEMORY_NANOS : 0;
      var _ = context.executor().schedule(() -> next(context), pause, TimeUnit.NANOSECONDS);
    }
    var _ = channel.config().setAutoRead(channel.isWritable() && waiting.isEmpty());
  }

  private void passOne(ChannelHandlerContext context) {
    ByteBuf first = waiting.element();
    int end = frames.passWhile(first, first.readerIndex(), () -> begun < REQUESTS);
    if (end == first.writerIndex()) {
      waiting.remove();
      context.fireChannelRead(first);
    } else {
      context.fireChannelRead(first.readRetainedSlice(end - first.readerIndex()));
    }
  }

  private void next(ChannelHandlerContext context) {
    begun = 0;
    pass(context);
    context.fireChannelReadComplete();
  }

  /** A request begins; trailers of one count, too. */
  private void frame(int type, int length, int stream) {
    if (type == FrameHeaders.HEADERS) {
      begun++;
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    release();
    context.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    release();
  }

  private void release() {
    waiting.forEach(ByteBuf::release);
    waiting.clear();
  }
}
