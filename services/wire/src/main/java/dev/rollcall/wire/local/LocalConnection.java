package dev.rollcall.wire.local;

import com.google.protobuf.MessageLite;
import dev.rollcall.proto.localsocket.v1.CallEnd;
import dev.rollcall.proto.localsocket.v1.CallReply;
import dev.rollcall.proto.localsocket.v1.CallRequest;
import dev.rollcall.wire.grpc.Peer;
import dev.rollcall.wire.grpc.PeerBounds;
import dev.rollcall.wire.grpc.limit.AcceptedConnection;
import dev.rollcall.wire.memory.HeldMemory;
import dev.rollcall.wire.memory.MemoryUse;
import dev.rollcall.wire.memory.MessageReader;
import dev.rollcall.wire.memory.PeerKind;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import io.vertx.core.internal.ContextInternal;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a user: reads a request, and the next one when the call of the first has ended
 * and its last reply is sent. The memory of a request is taken from its user's budget before it is
 * allocated. On the event loop.
 */
final class LocalConnection extends ChannelInboundHandlerAdapter {
  static final int WHOLE_WITHIN_SECONDS = 5;

  /** The objects of a connection: its channel, pipeline, and this. */
  private static final int CONNECTION_COST = 4 << 10;

  /** The objects of a call: contexts, the service's observers. */
  private static final int CALL_COST = 4 << 10;

  private static final int DROPPED_AT_ONCE = 4 << 10;
  private static final System.Logger LOG = System.getLogger(LocalConnection.class.getName());
  private static final MessageReader<CallRequest> REQUESTS =
      new MessageReader<>(CallRequest.getDefaultInstance());

  /**
   * What all connections have.
   *
   * @param context on which services run
   * @param methods by their names, as {@code rollcall.v1.JobService/Get}
   * @param turns of users' requests
   */
  record Parts(
      ContextInternal context,
      Map<String, ServerMethodDefinition<?, ?>> methods,
      PeerBounds bounds,
      RequestTurns turns) {}

  private final Parts parts;
  private final Channel channel;
  private final Peer peer;
  private final HeldMemory memory;
  private final int most;
  private final IncomingFrame frame = new IncomingFrame();
  private boolean reading = true;
  private long request;
  private @Nullable Future<?> late;
  private RequestTurns.@Nullable Turn turn;
  private @Nullable LocalCall<?, ?> call;

  LocalConnection(Parts parts, Channel channel, Peer peer) {
    this.parts = parts;
    this.channel = channel;
    this.peer = peer;
    this.memory = new HeldMemory(parts.bounds().memory(), parts.bounds().accounts().apply(peer));
    this.most = parts.bounds().messages().applyAsInt(peer, "");
  }

  /** Bytes of the next read. Other times only what is dropped can come, from a lost client. */
  int wanted() {
    return reading ? frame.missing() : DROPPED_AT_ONCE;
  }

  /** Why this process, short of memory, refuses this peer. */
  private Optional<String> shortage() {
    return parts.bounds().memory().connections().objection(peer.kind());
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    if (shortage().isEmpty() && memory.take(MemoryUse.REQUEST, CONNECTION_COST)) {
      AcceptedConnection.prove(channel, peer.kind(), peer.account());
      var _ = channel.read();
    } else {
      var _ = channel.close();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    var bytes = (ByteBuf) message;
    try {
      if (reading) {
        parts.context().dispatch(bytes, this::read);
      }
    } finally {
      bytes.release();
    }
  }

  private void read(ByteBuf bytes) {
    if (frame.isEmpty()) {
      beWhole();
    }
    frame.add(bytes);
    if (frame.missing() == 0 && frame.isInPrefix()) {
      begin(frame.length());
    } else if (frame.missing() == 0) {
      whole(frame.message());
    } else {
      var _ = channel.read();
    }
  }

  private void begin(long length) {
    if (length == 0) {
      refuse(Status.INVALID_ARGUMENT, "a frame of 0 bytes, the limit is " + most);
    } else if (length > most) {
      refuse(
          Status.RESOURCE_EXHAUSTED,
          "a frame of %d bytes is over the limit of %d".formatted(length, most));
    } else {
      stopReading();
      Object user =
          peer.kind() == PeerKind.PROTECTED ? this : parts.bounds().accounts().apply(peer);
      turn = parts.turns().await(user, () -> admit(length));
    }
  }

  /** Only now, so that requests that wait hold no memory. */
  private void admit(long length) {
    if (!takeRequest(length + CALL_COST)) {
      refuse(
          Status.RESOURCE_EXHAUSTED,
          "the requests of this user that have not ended hold all the memory that it may use");
      return;
    }
    reading = true;
    beWhole();
    frame.beginMessage();
    var _ = channel.read();
  }

  private void beWhole() {
    late = channel.eventLoop().schedule(this::late, WHOLE_WITHIN_SECONDS, TimeUnit.SECONDS);
  }

  private void endTurn() {
    if (turn != null) {
      turn.end();
    }
  }

  private void late() {
    LOG.log(Level.DEBUG, "{0}: its request was not whole within {1} s", peer, WHOLE_WITHIN_SECONDS);
    var _ = channel.close();
  }

  private void refuse(Status status, String text) {
    stopReading();
    endTurn();
    write(end(status.withDescription(text))).addListener(ChannelFutureListener.CLOSE);
  }

  private void stopReading() {
    reading = false;
    if (late != null) {
      late.cancel(false);
    }
  }

  private void whole(byte[] message) {
    stopReading();
    CallRequest asked;
    try {
      asked = REQUESTS.read(message, this::takeRequest);
    } catch (StatusRuntimeException e) {
      last(end(e.getStatus()), 0);
      return;
    }
    call(asked);
  }

  private void call(CallRequest asked) {
    Optional<String> shortage = shortage();
    ServerMethodDefinition<?, ?> method = parts.methods().get(asked.getMethod());
    if (shortage.isPresent()) {
      last(end(Status.RESOURCE_EXHAUSTED.withDescription(shortage.get())), 0);
    } else if (method == null) {
      last(end(Status.UNIMPLEMENTED.withDescription("Method not found: " + asked.getMethod())), 0);
    } else {
      var started = new LocalCall<>(this, method, peer, asked);
      call = started;
      started.start(asked.getMessagesList());
      if (method.getMethodDescriptor().getType() == MethodType.SERVER_STREAMING) {
        endTurn(); // it may go on for days
      }
    }
  }

  /** Takes memory until the call has ended; false if its user has no more. */
  boolean takeRequest(long cost) {
    boolean taken = memory.take(MemoryUse.REQUEST, cost);
    request += taken ? cost : 0;
    return taken;
  }

  boolean isWritable() {
    return channel.isWritable();
  }

  /** Takes the memory of an answer, until it is sent; false if its user has no more. */
  boolean take(long cost) {
    return memory.take(MemoryUse.OUTGOING, cost);
  }

  /** Writes a reply that does not end the call. */
  void reply(MessageLite reply, long cost) {
    write(reply).addListener(_ -> memory.release(cost));
  }

  /** Writes the last reply of the call; when it is sent, the next request may come. */
  void last(MessageLite reply, long cost) {
    call = null;
    endTurn();
    write(reply).addListener(sent -> parts.context().dispatch(() -> next(sent.isSuccess(), cost)));
  }

  private void next(boolean sent, long cost) {
    memory.release(request + cost);
    request = 0;
    if (sent) {
      reading = true;
      var _ = channel.read();
    }
  }

  static CallReply end(Status status) {
    var end = CallEnd.newBuilder().setCode(status.getCode().value());
    String text = status.getDescription();
    return CallReply.newBuilder().setEnd(text == null ? end : end.setText(text)).build();
  }

  private ChannelFuture write(MessageLite reply) {
    return channel.writeAndFlush(Unpooled.wrappedBuffer(LocalFrame.of(reply)));
  }

  void close() {
    var _ = channel.close();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    LocalCall<?, ?> waiting = call;
    if (waiting != null) {
      parts.context().dispatch(waiting::ready);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    parts
        .context()
        .dispatch(() -> {
          stopReading();
          endTurn();
          LocalCall<?, ?> lost = call;
          if (lost != null) {
            lost.cancel();
          }
          memory.close();
        });
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.log(Level.DEBUG, "connection of {0}: {1}", peer, cause.toString());
    var _ = channel.close();
  }
}
