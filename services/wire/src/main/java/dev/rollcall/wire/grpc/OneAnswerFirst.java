package dev.rollcall.wire.grpc;

import dev.rollcall.wire.memory.MemoryUse;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;

/**
 * Passes on a request of an HTTP/1.1 connection when the answer to the one before has been sent to
 * the last byte. Those that were read already wait, and count in the peer's budget; nothing more is
 * read then. Behind the codec.
 */
final class OneAnswerFirst extends ChannelDuplexHandler {
  /** The objects of a request or a part of its body. */
  private static final int COST = 1 << 10;

  /** A header is two texts and an entry of a list. */
  private static final int HEADER_COST = 128;

  private record Held(Object message, long cost) {}

  private final Link link;
  private final Queue<Held> held = new ArrayDeque<>();
  private boolean answering;

  OneAnswerFirst(Link link) {
    this.link = link;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    long cost = cost(message);
    if (!context.channel().isActive()) {
      ReferenceCountUtil.release(message); // it was decoded with what came before the end
    } else if (held.isEmpty() && !(answering && message instanceof HttpRequest)) {
      pass(context, message);
    } else if (link.memory().take(MemoryUse.REQUEST, cost)) {
      held.add(new Held(message, cost));
      var _ = context.channel().config().setAutoRead(false);
    } else {
      ReferenceCountUtil.release(message);
      link.countUnread();
      var _ = context.close();
    }
  }

  private static long cost(Object message) {
    long cost = LastHttpContent.EMPTY_LAST_CONTENT.equals(message) ? 0 : COST;
    if (message instanceof HttpRequest request) {
      cost += request.uri().length();
      for (Map.Entry<String, String> header : request.headers()) {
        cost += HEADER_COST + header.getKey().length() + header.getValue().length();
      }
    }
    return message instanceof HttpContent part ? cost + part.content().readableBytes() : cost;
  }

  private void pass(ChannelHandlerContext context, Object message) {
    answering |= message instanceof HttpRequest;
    context.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    boolean last = message instanceof LastHttpContent && !isInterim(message);
    var _ =
        context.write(
            message, last ? promise.unvoid().addListener(_ -> answered(context)) : promise);
  }

  /** As 100 Continue, which is no answer. */
  private static boolean isInterim(Object message) {
    return message instanceof HttpResponse response
        && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
  }

  private void answered(ChannelHandlerContext context) {
    answering = false;
    link.answered();
    if (!held.isEmpty() && context.channel().isActive()) {
      // Not from within the write of the answer.
      context.executor().execute(() -> next(context));
    }
  }

  private void next(ChannelHandlerContext context) {
    // Before the requests: what takes one may stop reading for its body.
    var _ = context.channel().config().setAutoRead(true);
    for (Held first = held.peek();
        first != null && !(answering && first.message instanceof HttpRequest);
        first = held.peek()) {
      var _ = held.remove();
      link.memory().release(first.cost);
      pass(context, first.message);
    }
    if (!held.isEmpty()) {
      var _ = context.channel().config().setAutoRead(false);
    }
    context.fireChannelReadComplete();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    held.forEach(each -> ReferenceCountUtil.release(each.message));
    held.clear();
    context.fireChannelInactive();
  }
}
