package dev.rollcall.wire.local;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.UnsafeByteOperations;
import dev.rollcall.proto.localsocket.v1.CallEnd;
import dev.rollcall.proto.localsocket.v1.CallReply;
import dev.rollcall.proto.localsocket.v1.CallRequest;
import dev.rollcall.wire.Refusal;
import dev.rollcall.wire.grpc.MessageLimits;
import dev.rollcall.wire.grpc.Peer;
import dev.rollcall.wire.grpc.ServiceCall;
import dev.rollcall.wire.memory.MessageReader;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The call of a connection's request: writes the service's answers. On the event loop. */
final class LocalCall<Q, R> implements ServiceCall.Client<R> {
  /** What an answer that waits costs beside its bytes: objects of netty's. */
  static final int MESSAGE_COST = 256;

  private final LocalConnection connection;
  private final MethodDescriptor<Q, R> method;
  private final ServiceCall<Q, R> call;

  /** The answer of a unary call, which goes with the end. */
  private Optional<CallReply.Builder> only = Optional.empty();

  private long onlyCost;

  LocalCall(
      LocalConnection connection,
      ServerMethodDefinition<Q, R> method,
      Peer peer,
      CallRequest request) {
    this.connection = connection;
    this.method = method.getMethodDescriptor();
    this.call = new ServiceCall<>(method, peer, deadline(request), this);
  }

  private static Optional<Deadline> deadline(CallRequest request) {
    long millis = Integer.toUnsignedLong(request.getTimeoutMs());
    return millis == 0
        ? Optional.empty()
        : Optional.of(Deadline.after(millis, TimeUnit.MILLISECONDS));
  }

  void start(List<ByteString> messages) {
    call.start(new Metadata());
    messages.forEach(message -> call.say(() -> read(message.toByteArray())));
    call.saidAll();
  }

  @SuppressWarnings("unchecked") // the marshaller's prototype is a request
  private Q read(byte[] message) {
    var marshaller = (MethodDescriptor.PrototypeMarshaller<Q>) method.getRequestMarshaller();
    var empty = (Message) requireNonNull(marshaller.getMessagePrototype());
    return (Q) new MessageReader<>(empty).read(message, connection::takeRequest);
  }

  void ready() {
    call.ready();
  }

  void cancel() {
    call.cancel("the client closed its connection");
  }

  @Override
  public boolean isReady() {
    return connection.isWritable();
  }

  @Override
  public void message(R answer) {
    try (InputStream bytes = method.streamResponse(answer)) {
      long cost = taken(bytes.available());
      CallReply.Builder reply =
          CallReply.newBuilder().setMessage(UnsafeByteOperations.unsafeWrap(bytes.readAllBytes()));
      if (method.getType().serverSendsOneMessage()) {
        only = Optional.of(reply);
        onlyCost += cost;
      } else {
        connection.reply(reply.build(), cost);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The memory of an answer, before it is encoded. */
  private long taken(int length) {
    if (length > MessageLimits.MESSAGE_BYTES) {
      throw Refusal.plain(
          Status.RESOURCE_EXHAUSTED,
          "an answer of %d bytes is over the limit of %d"
              .formatted(length, MessageLimits.MESSAGE_BYTES));
    }
    long cost = (long) length + MESSAGE_COST;
    if (!connection.take(cost)) {
      throw Refusal.plain(
          Status.RESOURCE_EXHAUSTED,
          "the answers that this user has not read hold all the memory that it may use");
    }
    return cost;
  }

  @Override
  public void end(Status status, Metadata trailers) {
    connection.last(
        only.filter(_ -> status.isOk())
            .map(reply -> reply.setEnd(CallEnd.getDefaultInstance()).build())
            .orElseGet(() -> LocalConnection.end(status)),
        onlyCost);
  }
}
