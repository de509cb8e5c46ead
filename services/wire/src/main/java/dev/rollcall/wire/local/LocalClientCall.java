package dev.rollcall.wire.local;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.rollcall.proto.localsocket.v1.CallEnd;
import dev.rollcall.proto.localsocket.v1.CallReply;
import dev.rollcall.proto.localsocket.v1.CallRequest;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A client's call over a connection of its own. */
final class LocalClientCall<Q, R> extends ClientCall<Q, R> {
  /** An unsigned number of 32 bits; a call with more time is ended by its client alone. */
  private static final long LONGEST_TIMEOUT_MS = 0xffff_ffffL;

  private final Path socket;
  private final MethodDescriptor<Q, R> method;
  private final Executor executor;
  private final @Nullable Deadline deadline;
  private final CallRequest.Builder request = CallRequest.newBuilder();
  private final Semaphore wanted = new Semaphore(0);
  private final Thread thread = Thread.ofVirtual().name("rollcall-call").unstarted(this::run);
  private @Nullable Status stopped; // with the next, under the monitor of this
  private boolean started;
  private final CompletableFuture<Void> timer = new CompletableFuture<>();
  private @Nullable Listener<R> listener;
  private boolean heard;

  LocalClientCall(Path socket, MethodDescriptor<Q, R> method, CallOptions options) {
    this.socket = socket;
    this.method = method;
    Executor chosen = options.getExecutor();
    executor = chosen == null ? Runnable::run : chosen;
    Deadline outer = Context.current().getDeadline();
    Deadline own = options.getDeadline();
    deadline = own == null || (outer != null && outer.isBefore(own)) ? outer : own;
    request.setMethod(method.getFullMethodName());
  }

  @Override
  public void start(Listener<R> responses, Metadata headers) {
    synchronized (this) {
      listener = responses;
      if (stopped != null) {
        close(stopped);
        return;
      }
    }
    if (deadline != null && deadline.isExpired()) {
      stop(late()); // at once, so that nothing is sent
    } else if (deadline != null) {
      var _ =
          timer
              .completeOnTimeout(
                  null, deadline.timeRemaining(TimeUnit.NANOSECONDS), TimeUnit.NANOSECONDS)
              .thenRun(() -> stop(late()));
    }
  }

  private Status late() {
    return Status.DEADLINE_EXCEEDED
        .withDescription(socket + " did not answer within the deadline")
        .withCause(new TimeoutException());
  }

  @Override
  public void request(int messages) {
    wanted.release(messages);
  }

  @Override
  public void sendMessage(Q message) {
    try (InputStream bytes = method.streamRequest(message)) {
      request.addMessages(ByteString.readFrom(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void halfClose() {
    if (stopped == null) {
      started = true;
      thread.start();
    }
  }

  @Override
  public void cancel(@Nullable String message, @Nullable Throwable cause) {
    stop(Status.CANCELLED.withDescription(message).withCause(cause));
  }

  private synchronized void stop(Status why) {
    if (stopped != null) {
      return;
    }
    stopped = why;
    if (started) {
      thread.interrupt(); // which closes its connection
    } else if (listener != null) {
      close(why);
    }
  }

  private void close(Status status) {
    Listener<R> told = requireNonNull(listener);
    executor.execute(() -> told.onClose(status, new Metadata()));
  }

  private void run() {
    Status status = exchange();
    synchronized (this) {
      status = stopped == null ? status : stopped;
      stopped = status;
    }
    var _ = timer.cancel(false);
    close(status);
  }

  private Status exchange() {
    try (SocketChannel connection = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      try {
        connection.connect(UnixDomainSocketAddress.of(socket));
      } catch (IOException e) {
        return unavailable("cannot reach " + socket + ": " + e.getMessage(), e);
      }
      return exchange(connection);
    } catch (InvalidProtocolBufferException e) {
      return unreadable(e);
    } catch (IOException e) {
      return unavailable(
          (heard ? "the connection to " + socket + " was lost: " : "cannot reach " + socket + ": ")
              + e.getMessage(),
          e);
    } catch (InterruptedException e) {
      return Status.CANCELLED.withCause(e);
    } catch (StatusRuntimeException e) {
      return e.getStatus();
    }
  }

  private static Status unreadable(Throwable cause) {
    return Status.INTERNAL.withDescription("its answer cannot be read").withCause(cause);
  }

  private static Status unavailable(String text, Throwable cause) {
    return Status.UNAVAILABLE.withDescription(text).withCause(cause);
  }

  private Status exchange(SocketChannel connection) throws IOException, InterruptedException {
    if (deadline != null) {
      long left = Math.max(1, deadline.timeRemaining(TimeUnit.MILLISECONDS));
      request.setTimeoutMs(left <= LONGEST_TIMEOUT_MS ? (int) left : 0);
    }
    send(connection, ByteBuffer.wrap(LocalFrame.of(request.build())));
    while (true) {
      CallReply reply = CallReply.parseFrom(read(connection));
      if (method.getType().serverSendsOneMessage() && !isWhole(reply)) {
        return unreadable(new IOException("no message, or no end"));
      }
      if (reply.hasMessage()) {
        wanted.acquire();
        deliver(reply.getMessage());
      }
      if (reply.hasEnd()) {
        return status(reply.getEnd());
      }
    }
  }

  /** A unary call has one reply. */
  private static boolean isWhole(CallReply reply) {
    return reply.hasEnd() && (reply.hasMessage() || reply.getEnd().getCode() != 0);
  }

  /** An agent that refuses a request closes before it has read it, and its reply says why. */
  private static void send(SocketChannel connection, ByteBuffer frame) throws IOException {
    try {
      while (frame.hasRemaining()) {
        connection.write(frame);
      }
    } catch (java.nio.channels.ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      return;
    }
  }

  private ByteBuffer read(SocketChannel connection) throws IOException {
    long length = Integer.toUnsignedLong(full(connection, LocalFrame.PREFIX_BYTES).getInt());
    if (length == 0 || length > LocalFrame.MOST_REPLY_BYTES) {
      throw Status.INTERNAL
          .withDescription(
              "%s sent a frame of %d bytes, which is not within 1 and %d"
                  .formatted(socket, length, LocalFrame.MOST_REPLY_BYTES))
          .asRuntimeException();
    }
    return full(connection, (int) length);
  }

  private ByteBuffer full(SocketChannel connection, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      int read;
      try {
        read = connection.read(bytes);
      } catch (SocketException reset) { // it closed before it had read everything
        read = -1;
      }
      if (read < 0) {
        throw new EOFException("Connection was closed");
      }
      heard = true;
    }
    return bytes.flip();
  }

  private void deliver(ByteString bytes) {
    R message;
    try {
      message = method.parseResponse(bytes.newInput());
    } catch (StatusRuntimeException e) {
      throw unreadable(e).asRuntimeException();
    }
    Listener<R> told = requireNonNull(listener);
    executor.execute(() -> told.onMessage(message));
  }

  private Status status(CallEnd end) {
    Status status = Status.fromCodeValue(end.getCode());
    // The agent has the deadline too, and its reply may come first.
    if (status.getCode() == Status.Code.DEADLINE_EXCEEDED
        && deadline != null
        && deadline.isExpired()) {
      return late();
    }
    return end.getText().isEmpty() ? status : status.withDescription(end.getText());
  }
}
